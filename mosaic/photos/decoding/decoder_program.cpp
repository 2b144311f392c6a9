// SPDX-License-Identifier: LGPL-2.1-or-later
// The program mosaictemporal-decoder: decodes photos for PhotoDecoder. If a photo takes too much
// time, or leads a loader into a fault, this process ends, and its parent starts another.
//
// mosaictemporal-decoder PHOTO writes the pixels of one photo to the standard output ("-": of the
// one that the standard input gives), so that a command of gst-launch-1.0 can begin with it;
// mosaictemporal-decoder --frames BEFORE DIGITS AFTER FIRST LAST those of numbered photos of one
// size; and mosaictemporal-decoder --animation FILE START STEP those of an animation at moments
// of equal distances, in microseconds.
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mosaic/base/descriptor.h"
#include "mosaic/base/error.h"
#include "mosaic/base/regular_file.h"
#include "mosaic/photos/decoding/decode_requests.h"
#include "mosaic/photos/decoding/decoder_messages.h"
#include "mosaic/photos/decoding/decoder_protocol.h"
#include "mosaic/photos/decoding/photo_decode.h"

namespace {

using mosaic::Descriptor;
using mosaic::Error;
namespace decoder = mosaic::decoder;

/// A process that decodes photos for this one, which never looks into a photo itself.
class OtherProcess {
 public:
  OtherProcess() : pixels_(memfd_create("photo", MFD_CLOEXEC)) {
    int ends[2];
    if (pixels_.get() < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
      fail();
    socket_ = Descriptor(ends[0]);
    const Descriptor other(ends[1]);
    const pid_t child = fork();
    if (child < 0) fail();
    if (child > 0) return;
    socket_ = Descriptor();
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    decoder::serve(decoder::kPictureKind, other.get(), pixels_.get());
    _exit(0);
  }

  int pixels() const { return pixels_.get(); }

  /// @param why there are no pixels, written
  mosaic::PhotoSize decode(int file, std::string& why) const {
    const auto received = decoder::send_request(socket_.get(), {}, file)
                              ? decoder::receive_reply(socket_.get())
                              : std::nullopt;
    if (received && received->reply.width > 0)
      return {received->reply.width, received->reply.height};
    why = received ? received->rest
                   : "the image loader gave up, or took more than " +
                         std::to_string(decoder::kPictureCosts.seconds) + " seconds";
    return {};
  }

 private:
  [[noreturn]] static void fail() {
    std::fprintf(stderr, "no process can be started: %s\n", std::strerror(errno));
    std::exit(1);
  }

  Descriptor socket_, pixels_;
};

/// Writes the pixels of a photo to the standard output, or why there are none to that of errors.
/// @param name   of the photo, for messages
/// @param wanted its size, or 0 for any
/// @return its size; 0: the pixels could not be written
mosaic::PhotoSize print(const OtherProcess& process, const std::string& name, int file,
                        mosaic::PhotoSize wanted) {
  std::string why;
  const mosaic::PhotoSize found = process.decode(file, why);
  if (found.width == 0) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), why.c_str());
    return {};
  }
  if (wanted.width > 0 && (wanted.width != found.width || wanted.height != found.height)) {
    std::fprintf(stderr, "%s has %dx%d pixels, and the pictures before it %dx%d\n", name.c_str(),
                 found.width, found.height, wanted.width, wanted.height);
    return {};
  }
  // A copy: what sendfile() gives to a pipe would change with the next picture.
  std::vector<uint8_t> rgb(static_cast<size_t>(3 * found.pixels()));
  const bool written = mosaic::read_at(process.pixels(), rgb.data(), rgb.size(), 0) == rgb.size() &&
                       mosaic::write_all(STDOUT_FILENO, rgb.data(), rgb.size());
  return written ? found : mosaic::PhotoSize{};
}

/// The same of a file.
mosaic::PhotoSize print(const OtherProcess& process, const std::string& path,
                        mosaic::PhotoSize wanted) {
  try {
    return print(process, path, mosaic::RegularFile(path).fd(), wanted);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), error.what());
    return {};
  }
}

/// The standard input as a file in memory, or so much of it that it is too large for a photo.
mosaic::Descriptor read_input() {
  mosaic::Descriptor file(memfd_create("input", MFD_CLOEXEC));
  char part[1 << 16];
  size_t taken = 0;
  for (ssize_t size;
       taken <= decoder::kMaxFileBytes && (size = read(STDIN_FILENO, part, sizeof part)) > 0;
       taken += static_cast<size_t>(size))
    if (write(file.get(), part, size) != size) break;
  return file;
}

/// @param name of the photo; "-": it comes from the standard input
int print_photo(const std::string& name) {
  const OtherProcess process;
  const mosaic::PhotoSize size =
      name == "-" ? print(process, name, read_input().get(), {}) : print(process, name, {});
  return size.width > 0 ? 0 : 1;
}

/// Ctrl-C goes to both ends of a pipe, and the other one decides when it has enough.
void leave_interrupts_to_the_other_end() {
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGHUP, SIG_IGN);
}

/// @param words BEFORE, DIGITS, AFTER, FIRST, LAST
int print_frames(char** words) {
  leave_interrupts_to_the_other_end();
  const OtherProcess process;
  const int digits = std::atoi(words[1]), last = std::atoi(words[4]);
  mosaic::PhotoSize size{};
  for (int number = std::atoi(words[3]); number <= last; ++number) {
    char text[32];
    std::snprintf(text, sizeof text, "%0*d", digits, number);
    size = print(process, std::string(words[0]) + text + words[2], size);
    if (size.width == 0) return 1;
  }
  return 0;
}

/// The pictures of an animation at moments of equal distances.
class Moments {
 public:
  /// @param delays of the pictures, ms @param first, step  the moments, microseconds
  Moments(std::vector<int> delays, int64_t first, int64_t step)
      : delays_(std::move(delays)), next_(first), step_(step) {
    while (shown_ < delays_.size() && end_ + duration(shown_) <= first) end_ += duration(shown_++);
  }
  /// The picture at the first moment.
  int first() const { return static_cast<int>(shown_); }
  /// How often the next picture is to be written.
  int64_t repeats() {
    end_ += duration(shown_++);
    const int64_t count = std::max<int64_t>(0, (end_ - next_ + step_ - 1) / step_);
    next_ += count * step_;
    return count;
  }

 private:
  int64_t duration(size_t picture) const { return int64_t{1000} * delays_.at(picture); }

  std::vector<int> delays_;
  size_t shown_ = 0;  ///< pictures before the next one
  int64_t end_ = 0;   ///< of those
  int64_t next_, step_;
};

/// @param words FILE, START, STEP
int print_animation(char** words) {
  leave_interrupts_to_the_other_end();
  bool written = true;
  try {
    const mosaic::RegularFile opened(words[0]);
    decoder::limit_rights_and_memory(decoder::kPictureKind);
    const decoder::PhotoFile file(opened.fd());
    decoder::limit_time(decoder::kPictureCosts.seconds);
    const int64_t step = std::max(1L, std::atol(words[2]));
    Moments moments(mosaic::photo_format(file.bytes()).delays(file.bytes()),
                    std::atol(words[1]) + step / 2, step);
    mosaic::decode_animation(file.bytes(), mosaic::kPictureLimits, moments.first(),
                             [&](mosaic::PhotoSize size, const uint8_t* rgb) {
                               decoder::limit_time(decoder::kPictureCosts.seconds);
                               for (int64_t i = moments.repeats(); i > 0 && written; --i)
                                 written = mosaic::write_all(
                                     STDOUT_FILENO, rgb, static_cast<size_t>(3 * size.pixels()));
                               return written;
                             });
    return written ? 0 : 1;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: decoding it takes more than %zu MiB\n", words[0],
                 decoder::kPictureCosts.memory >> 20);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", words[0], error.what());
  }
  return 1;
}

bool has_socket() {
  struct stat info {};
  return fstat(decoder::kSocket, &info) == 0 && S_ISSOCK(info.st_mode);
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_picture = argc == 2 && std::strcmp(argv[1], decoder::kPicture) == 0;
  if (argc == 2 && !is_picture) return print_photo(argv[1]);
  if (argc == 7 && std::strcmp(argv[1], decoder::kFrames) == 0) return print_frames(argv + 2);
  if (argc == 5 && std::strcmp(argv[1], decoder::kAnimation) == 0) return print_animation(argv + 2);
  if (argc <= 2 && has_socket()) {
    decoder::serve(is_picture ? decoder::kPictureKind : decoder::kTileKind, decoder::kSocket,
                   decoder::kPixels);
    return 0;
  }
  std::fputs(
      "This program decodes photos for the GStreamer element mosaictemporal, which starts it, or "
      "one photo to the standard output: mosaictemporal-decoder PHOTO\n"
      "or numbered ones: mosaictemporal-decoder --frames BEFORE DIGITS AFTER FIRST LAST\n"
      "or an animation: mosaictemporal-decoder --animation FILE START STEP\n",
      stderr);
  return 2;
}
