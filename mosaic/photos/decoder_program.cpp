// SPDX-License-Identifier: LGPL-2.1-or-later
// The program mosaictemporal-decoder: decodes photos for PhotoDecoder. If a photo takes too much
// time, or leads a loader into a fault, this process ends, and its parent starts another.
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <span>
#include <string>

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

  uint8_t* make(size_t size) {
    if (ftruncate(decoder::kPixels, static_cast<off_t>(size)) != 0) throw std::bad_alloc();
    data_ = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, decoder::kPixels, 0);
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

void limit_rights_and_memory() {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const rlimit memory{decoder::kMaxMemory, decoder::kMaxMemory};
  setrlimit(RLIMIT_DATA, &memory);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

/// Decodes a photo into the shared memory. Returns the reason if it fails, otherwise an empty text.
std::string decode(const char* path, decoder::Reply& reply) {
  try {
    const PhotoFile file(path);
    SharedPixels pixels;
    mosaic::decode_photo(file.bytes(), [&](int width, int height) {
      uint8_t* data = pixels.make(size_t{3} * width * height);
      reply = {width, height};
      return data;
    });
    return {};
  } catch (const std::bad_alloc&) {
    return "decoding it takes more than " + std::to_string(decoder::kMaxMemory >> 20) + " MiB";
  } catch (const std::exception& error) {
    return error.what();
  }
}

void answer(const char* path) {
  decoder::Reply reply{};
  limit_time(decoder::kMaxSeconds);
  std::string reason = decode(path, reply);
  limit_time(0);
  if (!reason.empty()) reply = {};
  std::string message(reinterpret_cast<const char*>(&reply), sizeof reply);
  message += reason.substr(0, decoder::kMaxReason);
  send(decoder::kSocket, message.data(), message.size(), MSG_NOSIGNAL);
}

}  // namespace

int main() {
  struct stat info {};
  if (fstat(decoder::kSocket, &info) != 0 || !S_ISSOCK(info.st_mode)) {
    std::fputs(
        "This program decodes photos for the GStreamer element mosaictemporal, which starts it.\n",
        stderr);
    return 2;
  }
  limit_rights_and_memory();
  char path[decoder::kMaxPath + 1];
  while (true) {
    const ssize_t size = recv(decoder::kSocket, path, decoder::kMaxPath, 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return 0;  // the other process has no more photos
    path[size] = '\0';
    answer(path);
  }
}
