// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/jobs.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <system_error>

#include "program/failure.h"
#include "program/input/media.h"
#include "program/input/photo_input.h"

namespace mosaic_program {
namespace {

namespace fs = std::filesystem;

bool is_folder(const std::string& output) {
  std::error_code error;
  return output.ends_with('/') || fs::is_directory(output, error);
}

/// A file's name without the folder, also of a folder that ends in a slash.
fs::path name_of(const std::string& input) {
  const fs::path path = fs::path(input).lexically_normal();
  return path.has_filename() ? path.filename() : path.parent_path().filename();
}

/// The names of the mosaics, without their ends.
std::vector<std::string> names_of(const std::vector<std::string>& inputs) {
  std::map<fs::path, int> stems, whole;
  for (const std::string& input : inputs) {
    ++stems[name_of(input).stem()];
    if (++whole[name_of(input)] > 1)
      throw WrongUsage("two inputs have the name " + name_of(input).string() +
                       ", and would be one file");
  }
  std::vector<std::string> names;
  for (const std::string& input : inputs) {
    const fs::path name = name_of(input);
    names.push_back((stems[name.stem()] > 1 ? name : name.stem()).string());
  }
  return names;
}

/// Whether a mosaic is there already, and the input has not been changed since.
bool is_made(const Options& job) {
  std::error_code error, other;
  const auto made = fs::last_write_time(job.output, error);
  const auto changed = fs::last_write_time(job.input, other);
  return !error && fs::file_size(job.output, error) > 0 && (other || changed <= made);
}

Options job_of(const Options& options, const std::string& input, const std::string& name) {
  Options job = options;
  job.input = input;
  const bool is_file = !options.frames && !is_camera(input);
  if (is_file) job.photo = PhotoInput::read(input);
  const bool still = job.photo ? !job.photo->is_animation() : is_file && look_into(input).still;
  if (still) job.codec.clear();
  job.output = (fs::path(options.output) / (name + (still ? ".png" : ".mp4"))).string();
  return job;
}

/// The mosaic of an input that was made before; empty: there is none.
std::string made_before(const Options& options, const std::string& input, const std::string& name) {
  Options job = options;
  job.input = input;
  for (const char* end : {".mp4", ".png"}) {
    job.output = (fs::path(options.output) / (name + end)).string();
    if (options.resume && is_made(job)) return job.output;
  }
  return {};
}

int skip(const std::string& made, const Options& options) {
  if (!options.quiet) std::fprintf(stderr, "%s was made before\n", made.c_str());
  return kDone;
}

}  // namespace

int make_all(const Options& options, const std::function<int(const Options&)>& make) {
  if (options.show || (options.inputs.size() == 1 && !is_folder(options.output)))
    return options.resume && is_made(options) ? skip(options.output, options) : make(options);
  if (!is_folder(options.output))
    throw WrongUsage("only one input can become " + options.output +
                     "; for several, --output has to be a folder, or end in /");
  std::error_code error;
  fs::create_directories(options.output, error);
  if (error) throw Failure(options.output + " cannot be made: " + error.message());
  const std::vector<std::string> names = names_of(options.inputs);
  int status = kDone;
  for (size_t i = 0; i < names.size(); ++i) {
    int made = kFailed;
    try {
      const std::string before = made_before(options, options.inputs[i], names[i]);
      made = before.empty() ? make(job_of(options, options.inputs[i], names[i]))
                            : skip(before, options);
    } catch (const WrongUsage&) {
      throw;  // the others would fail, too
    } catch (const Failure& failure) {
      std::fprintf(stderr, "mosaic-temporal: %s\n", failure.what());
    }
    if (made == kInterrupted) return made;
    if (status == kDone) status = made;
  }
  return status;
}

}  // namespace mosaic_program
