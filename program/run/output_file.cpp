// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/run/output_file.h"

#include <fcntl.h>
#include <glib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include "gst/pointers.h"
#include "program/failure.h"
#include "program/input/frame_files.h"
#include "program/input/input_path.h"

namespace mosaic_program {
namespace {

namespace fs = std::filesystem;
using mosaic_gst::Owned;

constexpr size_t kLongestName = 255;  // of a file, in bytes

std::optional<struct stat> status_of(const std::string& file) {
  struct stat status {};
  return stat(file.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

/// The name of a file with something before and after what stands before its extension, cut so
/// that file systems take it.
std::string renamed(const std::string& file, const std::string& before, const std::string& after) {
  const fs::path path(file);
  std::string stem = path.stem().string();
  const size_t rest = before.size() + after.size() + path.extension().string().size();
  if (rest < kLongestName && stem.size() > kLongestName - rest) {
    size_t size = kLongestName - rest;
    while (size > 0 && (stem[size] & 0xC0) == 0x80) --size;  // in whole characters
    stem.resize(size);
  }
  return (path.parent_path() / (before + stem + after + path.extension().string())).string();
}

/// A name that no file has yet, for a part of what was to become this file.
std::string name_of_part(const std::string& file) {
  std::string name = renamed(file, "", ".incomplete");
  for (int number = 2; access(name.c_str(), F_OK) == 0; ++number)
    name = renamed(file, "", ".incomplete-" + std::to_string(number));
  return name;
}

void check_folder(const std::string& output) {
  const std::string folder = fs::path(output).parent_path().string();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0)
    throw Failure(output + " cannot be written: " + g_strerror(errno));
}

/// Throws Failure if writing the output would destroy something that is read.
void check_inputs(const Options& options, const struct stat& output) {
  const auto is_output = [&](const std::string& input) {
    const std::optional<struct stat> status = status_of(input_path(input));
    return status && status->st_dev == output.st_dev && status->st_ino == output.st_ino;
  };
  if (is_output(options.input))
    throw Failure(options.output + " is the input, which would be lost: give another name");
  for (const auto& [property, value] : options.properties)
    if ((property == "tile-location" || property == "config-location") && is_output(value))
      throw Failure(options.output + " is what --" +
                    (property == "tile-location" ? "tiles" : "config") +
                    " names, which would be lost: give another name");
}

}  // namespace

OutputFile::OutputFile(const Options& options) : target_(options.output), path_(options.output) {
  const std::optional<struct stat> old = status_of(target_);
  if (old && S_ISDIR(old->st_mode)) throw Failure(target_ + " is a folder");
  if (old) check_inputs(options, *old);
  std::error_code error;
  // A link goes on to lead to the file.
  if (fs::is_symlink(target_, error) && old) target_ = path_ = fs::canonical(target_).string();
  if (old && !S_ISREG(old->st_mode)) return;
  check_folder(target_);
  if (!is_frame_pattern(options.output)) path_ = renamed(target_, ".", ".part");
}

OutputFile::~OutputFile() {
  if (lock_ < 0) return;
  close(lock_);
  if (has_other_name()) unlink(path_.c_str());
}

std::string OutputFile::begin() {
  if (!has_other_name()) return {};
  const auto open_file = [this] {
    lock_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock_ < 0) throw Failure(path_ + " cannot be written: " + g_strerror(errno));
    if (flock(lock_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    close(lock_);
    lock_ = -1;
    throw Failure("another mosaic-temporal is writing " + target_ + ": give another name");
  };
  open_file();
  struct stat status {};
  if (fstat(lock_, &status) != 0 || status.st_size == 0) return {};
  const std::string earlier = name_of_part(target_);
  fs::rename(path_, earlier);
  close(lock_);
  open_file();
  return earlier;
}

void OutputFile::rename_to(const std::string& name) {
  std::error_code error;
  if (has_other_name()) fs::rename(path_, name, error);
  if (error)
    throw Failure(name + ": " + error.message() + "; what was written is in " +
                  std::exchange(path_, target_));
  path_ = target_;
}

void OutputFile::keep() {
  rename_to(target_);
}

std::string OutputFile::keep_part(bool force) {
  const std::string name = !has_other_name() || force || access(target_.c_str(), F_OK) != 0
                               ? target_
                               : name_of_part(target_);
  rename_to(name);
  return name;
}

}  // namespace mosaic_program
