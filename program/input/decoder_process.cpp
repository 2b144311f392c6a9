// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/input/decoder_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

#include "gst/pointers.h"
#include "mosaic/base/regular_file.h"
#include "program/failure.h"
#include "program/input/decoded_pixels.h"

namespace mosaic_program {
namespace {

constexpr size_t kMostReasons = 4096;  // bytes of messages of which the last line is shown
// Linux lets a user's pipe be so large. The process can then decode the next picture while this one
// is taken.
constexpr int kPipeBytes = 1 << 20;

/// The last line of a file.
std::string last_line(int file) {
  std::string text(kMostReasons, '\0');
  struct stat info {};
  if (fstat(file, &info) != 0) return {};
  const off_t start = std::max<off_t>(0, info.st_size - off_t{kMostReasons});
  text.resize(mosaic::read_at(file, text.data(), text.size(), start));
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

DecoderProcess::DecoderProcess(std::vector<std::string> arguments)
    : command_(std::move(arguments)) {
  command_.insert(command_.begin(), decoder_program());
}

DecoderProcess::~DecoderProcess() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
}

void DecoderProcess::link(PipelineLine& line, const PictureSize& size) {
  std::vector<const gchar*> arguments;
  for (const std::string& word : command_) arguments.push_back(word.c_str());
  arguments.push_back(nullptr);
  // A pipe might become full of the warnings of a library, and the process would wait for ever.
  reasons_ = mosaic::Descriptor(memfd_create("reasons", MFD_CLOEXEC));
  gint pixels = -1;
  GError* found = nullptr;
  g_spawn_async_with_pipes_and_fds(nullptr, arguments.data(), nullptr, G_SPAWN_DO_NOT_REAP_CHILD,
                                   nullptr, nullptr, -1, -1, reasons_.get(), nullptr, nullptr, 0,
                                   &process_, nullptr, &pixels, nullptr, &found);
  if (const mosaic_gst::Owned<GError> error(found); error) {
    process_ = -1;
    throw Failure(std::string("the pictures cannot be read: ") + error->message);
  }
  pixels_ = mosaic::Descriptor(pixels);
  fcntl(pixels, F_SETPIPE_SZ, kPipeBytes);
  read_pixels(line, pixels, {command_}, size);
}

std::string DecoderProcess::failure() {
  if (process_ < 0) return {};
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
  process_ = -1;
  if (status == 0) return {};
  const std::string why = last_line(reasons_.get());
  return why.empty() ? "the process that reads the pictures has ended" : why;
}

}  // namespace mosaic_program
