// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/job/job_files.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <vector>

#include "gst/pointers.h"
#include "mosaic/base/content_hash.h"
#include "mosaic/base/descriptor.h"
#include "mosaic/base/hash.h"
#include "program/failure.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

[[noreturn]] void give_up(const std::string& path) {
  throw TryAgain(path + ": " + g_strerror(errno));
}

}  // namespace

std::string read_whole(const std::string& path) {
  gchar* contents = nullptr;
  gsize size = 0;
  GError* failure = nullptr;
  g_file_get_contents(path.c_str(), &contents, &size, &failure);
  const Owned<gchar> text(contents);
  const Owned<GError> error(failure);
  if (error) throw TryAgain(error->message);
  return {text.get(), size};
}

void write_whole(const std::string& path, const std::string& contents) {
  GError* failure = nullptr;
  g_file_set_contents_full(path.c_str(), contents.data(), static_cast<gssize>(contents.size()),
                           static_cast<GFileSetContentsFlags>(G_FILE_SET_CONTENTS_CONSISTENT |
                                                              G_FILE_SET_CONTENTS_DURABLE),
                           0666, &failure);
  const Owned<GError> error(failure);
  if (error) throw TryAgain(error->message);
}

std::string working_name(const std::string& name) {
  // Processes of several machines may have the same number.
  return ".working-" + std::string(g_get_host_name()) + "-" + std::to_string(getpid()) + "-" + name;
}

WorkingFile::WorkingFile(const std::string& path) : path_(path) {
  const std::filesystem::path file(path);
  working_ = file.parent_path() / working_name(file.filename().string());
}

WorkingFile::~WorkingFile() {
  unlink(working_.c_str());
}

void WorkingFile::finish() const {
  const mosaic::Descriptor file(open(working_.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 || fsync(file.get()) != 0) give_up(working_);
  if (g_rename(working_.c_str(), path_.c_str()) != 0) give_up(path_);
}

std::string hash_of_file(const std::string& path, guint64& bytes) {
  const mosaic::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) give_up(path);
  mosaic::HashState hash;
  std::vector<char> block(1 << 20);
  bytes = 0;
  for (;;) {
    const ssize_t size = read(file.get(), block.data(), block.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) give_up(path);
    if (size == 0) break;
    hash.add(block.data(), static_cast<size_t>(size));
    bytes += static_cast<guint64>(size);
  }
  const XXH128_hash_t digest = hash.digest();
  return mosaic::ContentHash{digest.low64, digest.high64}.text();
}

}  // namespace mosaic_program
