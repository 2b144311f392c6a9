// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/planning.h"

#include <glib/gstdio.h>

#include <filesystem>
#include <utility>

#include "gst/pointers.h"
#include "program/failure.h"
#include "program/farm/film/film_pass.h"
#include "program/farm/job/job_files.h"
#include "program/farm/job/planned_photos.h"
#include "program/farm/job/resolved_settings.h"
#include "program/input/input_path.h"
#include "program/input/media.h"
#include "program/input/photo_input.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

// Some encoders' bytes depend on it. A process of a farm has few cores.
constexpr int kEncoderThreads = 4;

/// The film's path. Throws WrongUsage if no film can be divided.
std::string film_of(const Options& options) {
  if (options.inputs.size() != 1) throw WrongUsage("one film is divided: give one input");
  if (options.show || options.compare_looks || options.dry_run || options.resume ||
      !options.save_config.empty() || !options.places.empty())
    throw WrongUsage(
        "a film that is divided is written to a file: --show, --compare-looks, --dry-run, "
        "--resume, --save-config and --places are for others");
  if (options.frames || is_camera(options.input) || PhotoInput::read(options.input))
    throw WrongUsage(options.input + ": only films are divided");
  std::string path = input_path(options.input);
  if (path.empty())
    throw WrongUsage(options.input + ": only films in files are divided, not what is sent");
  for (const auto& [name, value] : options.properties)
    if (name == "max-solve-time")
      throw WrongUsage("--max-solve-time: how good a mosaic is would depend on the machine");
  return std::filesystem::absolute(path).string();
}

std::string uri_of(const std::string& path) {
  const Owned<gchar> uri(gst_filename_to_uri(path.c_str(), nullptr));
  if (!uri) throw Failure(path + " cannot be named by a URI");
  return uri.get();
}

/// Whether a folder holds nothing but what jobs make. Throws TryAgain if it cannot be read.
bool is_for_jobs(const std::string& folder) {
  std::error_code error;
  const auto is_ours = [](const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    if (name == "photos") {
      std::error_code other;
      const auto is_other = [](const std::filesystem::path& file) {
        return file.extension() != ".photos";  // prepared one by one, see PreparedPhotos
      };
      return photos_in(path).size() ==
             static_cast<size_t>(std::count_if(std::filesystem::directory_iterator(path, other),
                                               std::filesystem::directory_iterator(), is_other));
    }
    return name == "plan.json" || name == "frames.txt" || name == "parallel.log" ||
           name.starts_with("part-") || name.starts_with("joint-") || name.starts_with(".working-");
  };
  for (std::filesystem::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error))
    if (!is_ours(file->path())) return false;
  if (error) throw TryAgain(folder + ": " + error.message());
  return true;
}

void make_folder(const JobFolder& folder) {
  if (g_mkdir_with_parents(folder.path().c_str(), 0777) != 0)
    throw TryAgain(folder.path() + " cannot be made: " + g_strerror(errno));
  if (!is_for_jobs(folder.path()))
    throw WrongUsage(folder.path() + " holds other files: name a new folder");
}

}  // namespace

Job plan_job(const Options& given, const JobFolder& folder, Progress& progress) {
  const std::string path = film_of(given);
  make_folder(folder);
  Job job;
  job.uri = uri_of(path);
  job.start = given.start;
  job.end = given.end;
  job.version = MOSAICTEMPORAL_VERSION;
  job.gstreamer = gstreamer_version();
  job.codec = given.codec.empty() ? "h264" : given.codec;
  job.encoder_threads = kEncoderThreads;
  job.quality = given.quality;
  job.frames_per_second = given.frames_per_second;
  job.output_size = given.output_size;
  job.fit = given.fit;
  job.properties = given.properties;
  make_paths_absolute(job.properties);
  Options options = options_of(job, folder.cache(), folder.part(0, "mkv"));
  options.input = given.input;  // what messages name
  options.start = job.start;
  options.end = job.end;
  options.patience = given.patience;
  FilmPass pass = look_through(options, progress);
  if (pass.interrupted) return job;
  job.encoder = pass.encoder;
  job.properties = std::move(pass.settings);
  make_paths_absolute(job.properties);  // those of a settings file, too
  job.photos = photos_in(folder.cache());
  job.windows = pass.windows;
  job.source_hash = hash_of_file(path, job.source_bytes);
  job.film = std::move(pass.film);
  job.duration = pass.duration;
  job.losses = pass.losses;
  job.parts = divide(job.film, job.windows, pass.lookahead);
  save_job(job, folder);
  return job;
}

}  // namespace mosaic_program
