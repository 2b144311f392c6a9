// SPDX-License-Identifier: LGPL-2.1-or-later
// Thread blocks of a GPU, made of host threads: they run the code that nvcc compiles for a group
// (block_group.h).
#pragma once

#include <atomic>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cpu/group_memory.h"
#include "cuda/block_group.h"

namespace test {

/// What the threads of a block share.
class ThreadedBlock {
 public:
  /// @param threads       a multiple of mt::kWarp up to mt::kGpuThreads
  /// @param shared_bytes  that a group may share
  ThreadedBlock(int threads, int shared_bytes)
      : threads_(threads), shared_bytes_(shared_bytes), barrier_(threads) {
    if (threads % mt::kWarp != 0 || threads > mt::kGpuThreads)
      throw std::invalid_argument("threads of a block");
    for (int i = 0; i < threads / mt::kWarp; ++i) warps_.emplace_back();
    memory_.set_guard(shared_bytes);
  }

  /// Fills the memory that a GPU leaves uninitialised when a block starts.
  void begin() {
    std::memset(memory_.data(), 0xa5, static_cast<size_t>(shared_bytes_));
    std::memset(slots_, 0xa5, sizeof slots_);
  }
  /// Throws std::length_error if a group wrote past the memory that it may share.
  void check() const {
    if (!memory_.guard_is_intact()) throw std::length_error("more than kShared written");
  }

 private:
  friend class ThreadOfBlock;
  using Word = unsigned long long;

  struct Warp {
    std::barrier<> barrier{mt::kWarp};
    Word values[2][mt::kWarp];
    unsigned turn[mt::kWarp] = {};  ///< of each lane: which of `values` it writes next
  };

  const int threads_, shared_bytes_;
  std::barrier<> barrier_;
  std::deque<Warp> warps_;
  mt::GroupMemory memory_;
  uint64_t slots_[mt::kMaxWarps];
};

/// The operations of a GPU thread, as block_group.h asks for them.
class ThreadOfBlock {
 public:
  using Word = ThreadedBlock::Word;

  ThreadOfBlock(ThreadedBlock& shared, int thread, int block, int blocks)
      : shared_(&shared), thread_(thread), block_(block), blocks_(blocks) {}

  unsigned thread() const { return static_cast<unsigned>(thread_); }
  unsigned threads() const { return static_cast<unsigned>(shared_->threads_); }
  unsigned block() const { return static_cast<unsigned>(block_); }
  unsigned blocks() const { return static_cast<unsigned>(blocks_); }
  void barrier() const { shared_->barrier_.arrive_and_wait(); }
  Word from_lane_xor(Word v, int lanes) const {
    ThreadedBlock::Warp& warp = shared_->warps_[thread_ / mt::kWarp];
    const int lane = thread_ % mt::kWarp;
    // Two arrays in turn, because other lanes may still read the values of the last exchange.
    Word* const values = warp.values[warp.turn[lane]++ % 2];
    values[lane] = v;
    warp.barrier.arrive_and_wait();
    return values[lane ^ lanes];
  }
  /// Relaxed: it orders nothing else, so no kernel can use it in place of a sync.
  template <class T>
  T fetch_add(T* where, T v) const {
    return std::atomic_ref<T>(*where).fetch_add(v, std::memory_order_relaxed);
  }
  unsigned char* memory() const { return shared_->memory_.data(); }
  uint64_t* slots() const { return shared_->slots_; }

 private:
  ThreadedBlock* shared_;
  int thread_, block_, blocks_;
};

/// Runs groups 0..count-1 of a kernel as a grid of two blocks, one after the other. Throws
/// std::length_error if a group wrote past its kShared.
template <class Kernel>
void run_blocks_threaded(const Kernel& kernel, int count, int threads) {
  constexpr int kBlocks = 2;
  ThreadedBlock shared(threads, mt::shared_bytes<Kernel>());
  {
    std::vector<std::jthread> workers;
    for (int rank = 0; rank < threads; ++rank)
      workers.emplace_back([&shared, &kernel, count, rank] {
        for (int block = kBlocks; block-- > 0;) {
          const ThreadOfBlock thread(shared, rank, block, kBlocks);
          if (rank == 0) shared.begin();
          thread.barrier();
          mt::run_blocks(kernel, count, thread);
          thread.barrier();
        }
      });
  }
  shared.check();
}

}  // namespace test
