// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/decoding/decode_requests.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>

#include "mosaic/base/error.h"
#include "mosaic/photos/decoding/confinement.h"
#include "mosaic/photos/decoding/decoder_messages.h"
#include "mosaic/photos/decoding/photo_decode.h"
#include "mosaic/photos/tile_pictures.h"

namespace mosaic::decoder {
namespace {

/// Memory that does not count as private memory of this process.
class SharedMemory {
 public:
  SharedMemory() = default;
  ~SharedMemory() {
    if (size_ > 0) munmap(data_, size_);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// To be called once. @param file in memory; -1: none
  uint8_t* make(int file, size_t size) {
    if (file >= 0 && ftruncate(file, static_cast<off_t>(size)) != 0) throw std::bad_alloc();
    const int flags = file >= 0 ? MAP_SHARED : MAP_SHARED | MAP_ANONYMOUS;
    data_ = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, file, 0);
    if (data_ == MAP_FAILED) throw std::bad_alloc();
    size_ = size;
    return static_cast<uint8_t*>(data_);
  }

 private:
  void* data_ = nullptr;
  size_t size_ = 0;
};

Facts facts_of(const PhotoFacts& facts) {
  Facts out{facts.full_size.width, facts.full_size.height, facts.is_animated, {}};
  facts.profile.copy(out.profile, sizeof out.profile - 1);
  return out;
}

/// Without the memory that they are written to.
TilePictures pictures_of(const Request& request) {
  TilePictures pictures;
  pictures.cut = {{request.cut_width, request.cut_height}, static_cast<Crop>(request.crop)};
  for (size_t i = 0; i < pictures.picture.size(); ++i)
    pictures.picture[i].size = {request.width[i], request.height[i]};
  return pictures;
}

/// Leaves the pixels, or the pictures that are wanted, in a file in memory.
/// @param reply written
Facts decode(const Request& request, const Kind& kind, int photo, int pixels, Reply& reply) {
  TilePictures pictures = pictures_of(request);
  size_t size = 0;
  for (const TilePictures::Picture& picture : pictures.picture) size += picture.bytes();
  const bool whole = size == 0;
  const PhotoFile file(photo);
  SharedMemory decoded, cut;
  uint8_t* rgb = nullptr;
  const PhotoFacts facts = decode_photo(file.bytes(), kind.limits, whole ? nullptr : &pictures,
                                        [&](int width, int height) {
                                          reply = {width, height};
                                          const size_t bytes = size_t{3} * width * height;
                                          return rgb = decoded.make(whole ? pixels : -1, bytes);
                                        });
  if (whole) return facts_of(facts);
  uint8_t* out = cut.make(pixels, size);
  for (TilePictures::Picture& picture : pictures.picture) {
    picture.out = out;
    out += picture.bytes();
  }
  cut_out({reply.width, reply.height, rgb}, pictures);
  return facts_of(facts);
}

/// The answer to a request.
std::string answer(const Request& request, const Kind& kind, int photo, int pixels) {
  Reply reply{};
  std::string rest;
  limit_time(kind.costs.seconds);
  try {
    const Facts facts = decode(request, kind, photo, pixels, reply);
    rest.assign(reinterpret_cast<const char*>(&facts), sizeof facts);
  } catch (const std::bad_alloc&) {
    reply = {};
    rest = "decoding it takes more than " + std::to_string(kind.costs.memory >> 20) + " MiB";
  } catch (const Error& error) {
    reply = {error.kind() == Error::Kind::kFormat ? kNoLoader : 0, 0};
    rest = error.what();
  } catch (const std::exception& error) {
    reply = {};
    rest = error.what();
  }
  limit_time(0);
  return std::string(reinterpret_cast<const char*>(&reply), sizeof reply) +
         rest.substr(0, kMaxReason);
}

[[noreturn]] void fail(const std::string& why) {
  throw Error(Error::Kind::kRead, why);
}

}  // namespace

PhotoFile::PhotoFile(int file) {
  const off_t end = lseek(file, 0, SEEK_END);
  if (end < 0) fail(std::strerror(errno));
  const auto size = static_cast<size_t>(end);
  if (size > kMaxFileBytes)
    fail("the file is larger than " + std::to_string(kMaxFileBytes >> 20) + " MiB");
  if (size == 0) return;
  data_ = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (data_ == MAP_FAILED) fail(std::strerror(errno));
  size_ = size;
}

PhotoFile::~PhotoFile() {
  if (size_ > 0) munmap(data_, size_);
}

void limit_rights_and_memory(const Kind& kind) {
  const rlimit memory{kind.costs.memory, kind.costs.memory};
  setrlimit(RLIMIT_DATA, &memory);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  load_loaders();
  if (!confine_process())
    std::fputs("mosaictemporal-decoder: the kernel does not let it give up its rights\n", stderr);
}

void limit_time(int seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &timer, nullptr);
}

void serve(const Kind& kind, int socket, int pixels) {
  limit_rights_and_memory(kind);
  while (const auto received = receive_request(socket)) {
    const std::string message = answer(received->request, kind, received->file.get(), pixels);
    send(socket, message.data(), message.size(), MSG_NOSIGNAL);
  }
}

}  // namespace mosaic::decoder
