// SPDX-License-Identifier: LGPL-2.1-or-later
// The program mosaictemporal-decoder: decodes photos for PhotoDecoder. If a photo takes too much
// time, or leads a loader into a fault, this process ends, and its parent starts another.
//
// mosaictemporal-decoder PHOTO writes the pixels of one photo to the standard output ("-": of the
// one that the standard input gives), so that a command of gst-launch-1.0 can begin with it;
// mosaictemporal-decoder --frames BEFORE DIGITS AFTER FIRST LAST those of numbered photos of one
// size; and mosaictemporal-decoder --animation FILE FIRST those of the pictures of an animation,
// from the one of that number, counted from 0.
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mosaic/base/descriptor.h"
#include "mosaic/base/error.h"
#include "mosaic/base/regular_file.h"
#include "mosaic/photos/decoder_protocol.h"
#include "mosaic/photos/photo_decode.h"

namespace {

using mosaic::Error;
namespace decoder = mosaic::decoder;

/// The contents of a file, mapped into memory. If someone truncates it meanwhile, this process
/// ends.
class PhotoFile {
 public:
  explicit PhotoFile(const char* path) {
    const mosaic::RegularFile file(path);
    if (file.size() > decoder::kMaxFileBytes)
      fail("the file is larger than " + std::to_string(decoder::kMaxFileBytes >> 20) + " MiB");
    if (file.size() == 0) return;
    data_ = mmap(nullptr, file.size(), PROT_READ, MAP_PRIVATE, file.fd(), 0);
    if (data_ == MAP_FAILED) fail(std::strerror(errno));
    size_ = file.size();
  }
  ~PhotoFile() {
    if (size_ > 0) munmap(data_, size_);
  }
  PhotoFile(const PhotoFile&) = delete;
  PhotoFile& operator=(const PhotoFile&) = delete;
  std::span<const uint8_t> bytes() const { return {static_cast<const uint8_t*>(data_), size_}; }

 private:
  [[noreturn]] static void fail(const std::string& why) { throw Error(Error::Kind::kRead, why); }

  void* data_ = nullptr;
  size_t size_ = 0;
};

/// The memory in which the other process finds the pixels.
class SharedPixels {
 public:
  SharedPixels() = default;
  ~SharedPixels() {
    if (size_ > 0) munmap(data_, size_);
  }
  SharedPixels(const SharedPixels&) = delete;
  SharedPixels& operator=(const SharedPixels&) = delete;

  /// @param file in memory
  uint8_t* make(int file, size_t size) {
    if (ftruncate(file, static_cast<off_t>(size)) != 0) throw std::bad_alloc();
    data_ = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (data_ == MAP_FAILED) throw std::bad_alloc();
    size_ = size;
    return static_cast<uint8_t*>(data_);
  }

 private:
  void* data_ = nullptr;
  size_t size_ = 0;
};

/// After so much processor time the kernel ends this process with SIGPROF; 0: no limit.
void limit_time(int seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &timer, nullptr);
}

/// What one kind of photo may cost, and how large it may be.
struct Kind {
  const mosaic::PhotoLimits& limits;
  const decoder::Costs& costs;
};
constexpr Kind kTile{mosaic::kTileLimits, decoder::kTileCosts};
constexpr Kind kPicture{mosaic::kPictureLimits, decoder::kPictureCosts};

void limit_rights_and_memory(const Kind& kind) {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const rlimit memory{kind.costs.memory, kind.costs.memory};
  setrlimit(RLIMIT_DATA, &memory);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

decoder::Facts facts_of(const mosaic::PhotoFacts& facts) {
  decoder::Facts out{facts.full_size.width, facts.full_size.height, facts.is_animated, {}};
  facts.profile.copy(out.profile, sizeof out.profile - 1);
  return out;
}

/// The answer to a request; the pixels are in a file in memory.
std::string decode(const char* path, const Kind& kind, int file) {
  decoder::Reply reply{};
  std::string rest;
  limit_time(kind.costs.seconds);
  try {
    const PhotoFile photo(path);
    SharedPixels pixels;
    const decoder::Facts facts =
        facts_of(mosaic::decode_photo(photo.bytes(), kind.limits, [&](int width, int height) {
          uint8_t* data = pixels.make(file, size_t{3} * width * height);
          reply = {width, height};
          return data;
        }));
    rest.assign(reinterpret_cast<const char*>(&facts), sizeof facts);
  } catch (const std::bad_alloc&) {
    reply = {};
    rest = "decoding it takes more than " + std::to_string(kind.costs.memory >> 20) + " MiB";
  } catch (const Error& error) {
    reply = {error.kind() == Error::Kind::kFormat ? decoder::kNoLoader : 0, 0};
    rest = error.what();
  } catch (const std::exception& error) {
    reply = {};
    rest = error.what();
  }
  limit_time(0);
  return std::string(reinterpret_cast<const char*>(&reply), sizeof reply) +
         rest.substr(0, decoder::kMaxReason);
}

/// Answers requests until the other process has no more photos.
int serve(const Kind& kind) {
  limit_rights_and_memory(kind);
  char path[decoder::kMaxPath + 1];
  while (true) {
    const ssize_t size = recv(decoder::kSocket, path, decoder::kMaxPath, 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return 0;
    path[size] = '\0';
    const std::string message = decode(path, kind, decoder::kPixels);
    send(decoder::kSocket, message.data(), message.size(), MSG_NOSIGNAL);
  }
}

/// Writes the pixels of a photo to the standard output, or why there are none to that of errors.
/// @param wanted its size, or 0 for any
/// @return its size; 0: the pixels could not be written
mosaic::PhotoSize print(const std::string& path, mosaic::PhotoSize wanted) {
  const mosaic::Descriptor file(memfd_create("photo", MFD_CLOEXEC));
  const std::string message = decode(path.c_str(), kPicture, file.get());
  decoder::Reply reply;
  std::memcpy(&reply, message.data(), sizeof reply);
  if (reply.width <= 0) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), message.c_str() + sizeof reply);
    return {};
  }
  if (wanted.width > 0 && (wanted.width != reply.width || wanted.height != reply.height)) {
    std::fprintf(stderr, "%s has %dx%d pixels, and the pictures before it %dx%d\n", path.c_str(),
                 reply.width, reply.height, wanted.width, wanted.height);
    return {};
  }
  off_t at = 0;
  const off_t size = off_t{3} * reply.width * reply.height;
  while (at < size && sendfile(STDOUT_FILENO, file.get(), &at, static_cast<size_t>(size - at)) > 0)
    continue;
  return at == size ? mosaic::PhotoSize{reply.width, reply.height} : mosaic::PhotoSize{};
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
  limit_rights_and_memory(kPicture);
  const bool is_input = name == "-";
  const mosaic::Descriptor input = is_input ? read_input() : mosaic::Descriptor();
  const std::string path = is_input ? "/dev/fd/" + std::to_string(input.get()) : name;
  return print(path, {}).width > 0 ? 0 : 1;
}

/// Ctrl-C goes to both ends of a pipe, and the other one decides when it has enough.
void leave_interrupts_to_the_other_end() {
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGHUP, SIG_IGN);
}

/// @param words BEFORE, DIGITS, AFTER, FIRST, LAST
int print_frames(char** words) {
  leave_interrupts_to_the_other_end();
  limit_rights_and_memory(kPicture);
  const int digits = std::atoi(words[1]), last = std::atoi(words[4]);
  mosaic::PhotoSize size{};
  for (int number = std::atoi(words[3]); number <= last; ++number) {
    char text[32];
    std::snprintf(text, sizeof text, "%0*d", digits, number);
    size = print(std::string(words[0]) + text + words[2], size);
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
  limit_rights_and_memory(kPicture);
  bool written = true;
  try {
    const PhotoFile file(words[0]);
    limit_time(kPicture.costs.seconds);
    const int64_t step = std::max(1L, std::atol(words[2]));
    Moments moments(mosaic::photo_format(file.bytes()).delays(file.bytes()),
                    std::atol(words[1]) + step / 2, step);
    mosaic::decode_animation(file.bytes(), kPicture.limits, moments.first(),
                             [&](mosaic::PhotoSize size, const uint8_t* rgb) {
                               limit_time(kPicture.costs.seconds);
                               for (int64_t i = moments.repeats(); i > 0 && written; --i)
                                 written = mosaic::write_all(
                                     STDOUT_FILENO, rgb, static_cast<size_t>(3 * size.pixels()));
                               return written;
                             });
    return written ? 0 : 1;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: decoding it takes more than %zu MiB\n", words[0],
                 kPicture.costs.memory >> 20);
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
  if (argc <= 2 && has_socket()) return serve(is_picture ? kPicture : kTile);
  std::fputs(
      "This program decodes photos for the GStreamer element mosaictemporal, which starts it, or "
      "one photo to the standard output: mosaictemporal-decoder PHOTO\n"
      "or numbered ones: mosaictemporal-decoder --frames BEFORE DIGITS AFTER FIRST LAST\n"
      "or an animation: mosaictemporal-decoder --animation FILE START STEP\n",
      stderr);
  return 2;
}
