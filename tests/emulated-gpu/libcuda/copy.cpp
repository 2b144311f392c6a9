// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libcuda/copy.h"

#include <atomic>
#include <cstring>

#include "tests/emulated-gpu/libcuda/faults.h"
#include "tests/emulated-gpu/libcuda/memory.h"
#include "tests/emulated-gpu/libcuda/stream.h"

namespace emulated_gpu {
namespace {

std::atomic<std::size_t> uploaded{0}, downloaded{0};

/// One side of a copy or fill: the memory from its first to its last byte.
struct Side {
  DevicePointer first;
  std::size_t pitch;
  std::size_t reach;
  bool host;
};

std::size_t reach(std::size_t pitch, std::size_t width, std::size_t height) {
  return (height - 1) * pitch + width;
}

/// Whether a side lies in memory of its declared kind. Host memory that is not pinned is unknown
/// and not checked.
Result check(const char* call, const Side& side) {
  if (side.first == 0) return kInvalidValue;
  if (!side.host) return check_range(call, side.first, side.reach);
  switch (find_block(side.first)) {
    case Found::kNowhere:
      return kSuccess;
    case Found::kDeviceBlock:
      return mistake(kInvalidValue, "%s: %p is device memory, not the host's", call,
                     reinterpret_cast<void*>(side.first));
    case Found::kPinnedBlock:
      return check_range(call, side.first, side.reach);
  }
  return kInvalidValue;
}

Result resolve(MemoryType type, const void* host, DevicePointer device, Side* side) {
  switch (type) {
    case kHost:
      side->first = reinterpret_cast<DevicePointer>(host);
      side->host = true;
      return kSuccess;
    case kDevice:
      side->first = device;
      side->host = false;
      return kSuccess;
    case kEither:
      side->first = device;
      side->host = find_block(device) != Found::kDeviceBlock;
      return kSuccess;
    case kArray:
      return kNotSupported;
  }
  return kInvalidValue;
}

/// Computes the two sides of a copy, including the offsets of the rectangle's corner.
Result resolve(const Copy2D& c, Side* from, Side* to) {
  if (const Result r = resolve(c.src_type, c.src_host, c.src_device, from); r != kSuccess) return r;
  if (const Result r = resolve(c.dst_type, c.dst_host, c.dst_device, to); r != kSuccess) return r;
  if (!from->first || !to->first) return kInvalidValue;
  if (c.height > 1 && (c.src_pitch < c.src_x + c.width || c.dst_pitch < c.dst_x + c.width))
    return kInvalidValue;
  from->pitch = c.src_pitch;
  to->pitch = c.dst_pitch;
  from->first += c.src_y * c.src_pitch + c.src_x;
  to->first += c.dst_y * c.dst_pitch + c.dst_x;
  from->reach = reach(from->pitch, c.width, c.height);
  to->reach = reach(to->pitch, c.width, c.height);
  return kSuccess;
}

Result move(const char* call, const Side& from, const Side& to, std::size_t width,
            std::size_t height) {
  // Checked again, because this may run much later than the call.
  if (const Result r = check(call, from); r != kSuccess) return kIllegalAddress;
  if (const Result r = check(call, to); r != kSuccess) return kIllegalAddress;
  for (std::size_t y = 0; y < height; ++y)
    std::memmove(reinterpret_cast<char*>(to.first) + y * to.pitch,
                 reinterpret_cast<const char*>(from.first) + y * from.pitch, width);
  if (from.host && !to.host) uploaded += width * height;
  if (!from.host && to.host) downloaded += width * height;
  return kSuccess;
}

const char* copy_name(const Side& from, const Side& to) {
  if (from.host != to.host) return from.host ? "copy to device" : "copy to host";
  return from.host ? "copy on host" : "copy on device";
}

}  // namespace

Result copy(const char* call, const std::shared_ptr<Stream>& stream, const Copy2D& c, bool wait) {
  if (c.width == 0 || c.height == 0) return kSuccess;
  Side from, to;
  if (const Result r = resolve(c, &from, &to); r != kSuccess) return r;
  if (const Result r = check(call, from); r != kSuccess) return r;
  if (const Result r = check(call, to); r != kSuccess) return r;
  submit(stream, copy_name(from, to),
         [=, width = c.width, height = c.height] { return move(call, from, to, width, height); });
  if (wait && (from.host || to.host)) finish(stream);
  return kSuccess;
}

Copy2D line(MemoryType to, DevicePointer dst, MemoryType from, DevicePointer src,
            std::size_t bytes) {
  Copy2D c{};
  c.src_type = from;
  c.src_host = reinterpret_cast<const void*>(src);
  c.src_device = src;
  c.dst_type = to;
  c.dst_host = reinterpret_cast<void*>(dst);
  c.dst_device = dst;
  c.width = bytes;
  c.height = 1;
  return c;
}

Result fill(const char* call, const std::shared_ptr<Stream>& stream, DevicePointer dst,
            std::size_t pitch, std::uint32_t value, std::size_t element, std::size_t width,
            std::size_t height, bool wait) {
  if (width == 0 || height == 0) return kSuccess;
  if (dst % element != 0 || (height > 1 && (pitch < width * element || pitch % element != 0)))
    return kInvalidValue;
  const Side to{dst, pitch, reach(pitch, width * element, height), false};
  if (const Result r = check(call, to); r != kSuccess) return r;
  submit(stream, "fill", [=] {
    if (check(call, to) != kSuccess) return kIllegalAddress;
    for (std::size_t y = 0; y < height; ++y) {
      char* const row = reinterpret_cast<char*>(dst) + y * pitch;
      if (element == 1) {
        std::memset(row, static_cast<int>(value), width);
        continue;
      }
      for (std::size_t x = 0; x < width; ++x)  // the low bytes come first
        std::memcpy(row + x * element, &value, element);
    }
    return kSuccess;
  });
  if (wait && find_block(dst) == Found::kPinnedBlock) finish(stream);
  return kSuccess;
}

Copied copied() {
  return {uploaded, downloaded};
}

}  // namespace emulated_gpu
