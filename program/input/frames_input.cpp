// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/input/frames_input.h"

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
#include "mosaic/base/error.h"
#include "mosaic/base/regular_file.h"
#include "mosaic/photos/decoder_protocol.h"
#include "mosaic/photos/photo_decoder.h"
#include "program/failure.h"
#include "program/input/decoded_pixels.h"
#include "program/input/photo_input.h"

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

FramesInput::FramesInput(FrameFiles files) : files_(std::move(files)) {
  const std::string first = files_.name(files_.first);
  try {
    const PhotoInput photo(first, mosaic::PhotoDecoder::decode_picture(first, decoder_program()));
    size_ = photo.size();
    notices_ = photo.notices();
  } catch (const mosaic::Error& error) {
    throw Failure(error.what());
  }
}

FramesInput::~FramesInput() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
}

std::vector<std::string> FramesInput::command() const {
  return {decoder_program(),
          mosaic::decoder::kFrames,
          files_.before,
          std::to_string(files_.digits),
          files_.after,
          std::to_string(files_.first),
          std::to_string(files_.last)};
}

void FramesInput::link(PipelineLine& line, const std::string& rate) {
  const std::vector<std::string> words = command();
  std::vector<const gchar*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
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
    throw Failure(std::string("the frames cannot be read: ") + error->message);
  }
  pixels_ = mosaic::Descriptor(pixels);
  fcntl(pixels, F_SETPIPE_SZ, kPipeBytes);
  read_pixels(line, pixels, {words}, size_);
  line.set("framerate", rate);
}

std::string FramesInput::failure() {
  if (process_ < 0) return {};
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
  process_ = -1;
  if (status == 0) return {};
  const std::string why = last_line(reasons_.get());
  return why.empty() ? "the process that reads the frames has ended" : why;
}

}  // namespace mosaic_program
