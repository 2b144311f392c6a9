// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libcuda/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <mutex>
#include <vector>

#include "tests/emulated-gpu/libcuda/control.h"
#include "tests/emulated-gpu/libcuda/faults.h"
#include "tests/emulated-gpu/libcuda/handles.h"
#include "tests/emulated-gpu/libcuda/stream.h"

namespace emulated_gpu {
namespace {

// Wide enough that a row written above or below a picture of usual width damages it.
constexpr std::size_t kRedZone = 512;
constexpr std::size_t kRemembered = 1024;  // freed allocations that are still recognised

/// guard page | red zone | data | red zone up to the next page | guard page
struct Block {
  Context* context;
  Memory memory;
  std::size_t bytes;
  std::uint8_t* map;
  std::size_t mapped;
  bool guarded;  ///< protected from access while `Store::users` is 0
};

struct Store {
  std::mutex mutex;
  std::map<DevicePointer, Block> live;
  std::map<DevicePointer, Block> freed;
  std::deque<DevicePointer> freed_order;
  std::size_t device_bytes = 0;
  int users = 0;  ///< number of DeviceAccess objects
};

Store& store() {
  return immortal<Store>();
}

std::size_t page() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// The content of a red zone. Differs from byte to byte, so that a fill and a shifted copy of it
/// are noticed. Never destroyed, because red zones are still checked after static objects are.
const std::vector<std::uint8_t>& red() {
  static const auto* const pattern = [] {
    auto* bytes = new std::vector<std::uint8_t>(2 * kRedZone + page());
    for (std::size_t i = 0; i < bytes->size(); ++i)
      (*bytes)[i] = static_cast<std::uint8_t>(0xA7 ^ (i * 31));
    return bytes;
  }();
  return *pattern;
}

std::uint8_t* data_of(const Block& block) {
  return block.map + page() + kRedZone;
}
std::uint8_t* end_of(const Block& block) {
  return block.map + block.mapped - page();
}

/// Sets the protection of the memory between the guard pages.
bool protect(const Block& block, int protection) {
  return mprotect(block.map + page(), block.mapped - 2 * page(), protection) == 0;
}

void use(Store& s) {
  if (s.users++ > 0) return;
  for (const auto& [start, block] : s.live)
    if (block.guarded) protect(block, PROT_READ | PROT_WRITE);
}

void stop_using(Store& s) {
  if (--s.users > 0) return;
  for (const auto& [start, block] : s.live)
    if (block.guarded) protect(block, PROT_NONE);
}

/// Number of bytes from the end of the data to the guard page.
std::size_t bytes_after(const Block& block) {
  return static_cast<std::size_t>(end_of(block) - data_of(block)) - block.bytes;
}

void paint(const Block& block) {
  std::uint8_t* const data = data_of(block);
  std::memcpy(data - kRedZone, red().data(), kRedZone);
  std::memset(data, 0xCD, block.bytes);
  std::memcpy(data + block.bytes, red().data(), bytes_after(block));
}

/// Offset from the start of the data of the first damaged byte; 0 if there is none (offset 0 is
/// data).
std::ptrdiff_t damage(const Block& block) {
  const std::uint8_t* const data = data_of(block);
  const struct {
    const std::uint8_t* start;
    std::size_t length;
  } zones[] = {{data - kRedZone, kRedZone}, {data + block.bytes, bytes_after(block)}};
  for (const auto& [start, length] : zones) {
    if (std::memcmp(start, red().data(), length) == 0) continue;
    return std::mismatch(start, start + length, red().begin()).first - data;
  }
  return 0;
}

Result report_damage(const Block& block, std::ptrdiff_t at, const char* when) {
  return mistake(kIllegalAddress, "%s: byte %td of the %zu bytes at %p was overwritten", when, at,
                 block.bytes, static_cast<void*>(data_of(block)));
}

/// The block that contains an address, or null.
const Block* holder(const std::map<DevicePointer, Block>& blocks, DevicePointer address) {
  auto next = blocks.upper_bound(address);
  if (next == blocks.begin()) return nullptr;
  const auto& [start, block] = *std::prev(next);
  return address - start < block.bytes ? &block : nullptr;
}

/// damage() of a block that is about to be freed; it is left accessible.
std::ptrdiff_t last_damage(const Store& s, const Block& block) {
  if (block.guarded && s.users == 0) protect(block, PROT_READ | PROT_WRITE);
  return damage(block);
}

/// Releases the pages but keeps the addresses reserved, so that a late access is noticed.
void retire(Store& s, std::map<DevicePointer, Block>::iterator entry) {
  const Block block = entry->second;
  const void* kept = mmap(block.map, block.mapped, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  if (kept == MAP_FAILED) std::abort();  // an access after the free would go unnoticed
  if (block.memory == Memory::kDeviceMemory) s.device_bytes -= block.bytes;
  s.freed_order.push_back(entry->first);
  s.freed.insert(*entry);
  s.live.erase(entry);
  if (s.freed_order.size() <= kRemembered) return;
  const auto oldest = s.freed.find(s.freed_order.front());
  munmap(oldest->second.map, oldest->second.mapped);
  s.freed.erase(oldest);
  s.freed_order.pop_front();
}

}  // namespace

Result allocate(Context* context, Memory memory, std::size_t bytes, DevicePointer* address) {
  const bool guarded = memory == Memory::kDeviceMemory && deferred();
  Store& s = store();
  std::lock_guard lock(s.mutex);
  if (bytes > kDeviceBytes) return kOutOfMemory;
  if (memory == Memory::kDeviceMemory && bytes > kDeviceBytes - s.device_bytes) return kOutOfMemory;
  const std::size_t inside = (kRedZone + bytes + kRedZone + page() - 1) / page() * page();
  const std::size_t mapped = inside + 2 * page();
  void* const map =
      mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) return kOutOfMemory;
  const Block block{context, memory, bytes, static_cast<std::uint8_t*>(map), mapped, guarded};
  if (!protect(block, PROT_READ | PROT_WRITE)) {
    munmap(map, mapped);
    return kOutOfMemory;
  }
  paint(block);
  if (guarded && s.users == 0) protect(block, PROT_NONE);
  if (memory == Memory::kDeviceMemory) s.device_bytes += bytes;
  *address = reinterpret_cast<DevicePointer>(data_of(block));
  s.live.emplace(*address, block);
  return kSuccess;
}

Result free_block(Memory memory, DevicePointer address) {
  Store& s = store();
  std::lock_guard lock(s.mutex);
  const auto found = s.live.find(address);
  if (found == s.live.end() || found->second.memory != memory) {
    const bool twice = found == s.live.end() && s.freed.count(address);
    return mistake(kInvalidValue, "free: %p %s", reinterpret_cast<void*>(address),
                   twice ? "was freed before" : "is no allocation of this kind");
  }
  Result result = kSuccess;
  if (const auto at = last_damage(s, found->second))
    result = report_damage(found->second, at, "free");
  retire(s, found);
  return result;
}

std::size_t free_blocks(Context* context) {
  Store& s = store();
  std::lock_guard lock(s.mutex);
  std::size_t freed = 0;
  for (auto entry = s.live.begin(); entry != s.live.end();) {
    const auto block = entry++;
    if (block->second.context != context) continue;
    if (const auto at = last_damage(s, block->second))
      report_damage(block->second, at, "cuCtxDestroy");
    retire(s, block);
    ++freed;
  }
  return freed;
}

Found find_block(DevicePointer address) {
  std::lock_guard lock(store().mutex);
  const Block* block = holder(store().live, address);
  if (!block) return Found::kNowhere;
  return block->memory == Memory::kDeviceMemory ? Found::kDeviceBlock : Found::kPinnedBlock;
}

Result check_range(const char* what, DevicePointer address, std::size_t bytes) {
  Store& s = store();
  std::lock_guard lock(s.mutex);
  void* const at = reinterpret_cast<void*>(address);
  if (const Block* block = holder(s.live, address)) {
    const auto offset = static_cast<std::size_t>(static_cast<std::uint8_t*>(at) - data_of(*block));
    if (bytes <= block->bytes - offset) return kSuccess;
    return mistake(kInvalidValue, "%s: %zu bytes at byte %zu of an allocation of %zu", what, bytes,
                   offset, block->bytes);
  }
  return mistake(kInvalidValue, "%s: %p %s", what, at,
                 holder(s.freed, address) ? "lies in freed memory" : "lies in no allocation");
}

bool check_red_zones(const char* when) {
  Store& s = store();
  std::lock_guard lock(s.mutex);
  bool whole = true;
  use(s);
  for (const auto& [start, block] : s.live)
    if (const auto at = damage(block)) {
      report_damage(block, at, when);
      whole = false;
    }
  stop_using(s);
  return whole;
}

DeviceAccess::DeviceAccess() {
  std::lock_guard lock(store().mutex);
  use(store());
}

DeviceAccess::~DeviceAccess() {
  std::lock_guard lock(store().mutex);
  stop_using(store());
}

MemoryCounts count_memory() {
  std::lock_guard lock(store().mutex);
  MemoryCounts counts{0, store().device_bytes, 0};
  for (const auto& [start, block] : store().live)
    ++(block.memory == Memory::kDeviceMemory ? counts.device_blocks : counts.pinned_blocks);
  return counts;
}

}  // namespace emulated_gpu

bool emulated_gpu_check() {
  return emulated_gpu::check_red_zones("check");
}

bool emulated_gpu_check_range(const void* address, std::size_t bytes) {
  return emulated_gpu::check_range("kernel", reinterpret_cast<emulated_gpu::DevicePointer>(address),
                                   bytes) == emulated_gpu::kSuccess;
}

bool emulated_gpu_peek(void* to, const void* device, std::size_t bytes) {
  const auto address = reinterpret_cast<emulated_gpu::DevicePointer>(device);
  if (emulated_gpu::check_range("peek", address, bytes) != emulated_gpu::kSuccess) return false;
  const emulated_gpu::DeviceAccess access;
  std::memcpy(to, device, bytes);
  return true;
}
