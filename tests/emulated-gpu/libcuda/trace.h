// SPDX-License-Identifier: LGPL-2.1-or-later
/// Records what runs on streams and what threads wait for, see EMULATED_GPU_TRACE in control.h.
/// Without a trace, nothing here does anything.
#pragma once

#include <cstdint>
#include <string>

namespace emulated_gpu {

/// Rows of a trace are numbered; this one is that of no stream.
inline constexpr int kNoRow = -1;

/// A row for a stream that the calling thread creates. kNoRow without a trace.
int trace_stream(bool stream0);

/// Names what the calling thread does from now on, for its waits. The text has to last.
void trace_call(const char* name);

/// Records a piece of work while it exists, on the thread that runs it.
class TracedWork {
 public:
  /// @param name  if it is empty, nothing is recorded
  TracedWork(int row, const std::string& name);
  ~TracedWork();
  TracedWork(const TracedWork&) = delete;
  TracedWork& operator=(const TracedWork&) = delete;

 private:
  std::uint64_t event_ = 0;
};

/// Records, while it exists, that the calling thread waits.
class TracedWait {
 public:
  TracedWait();
  ~TracedWait();
  TracedWait(const TracedWait&) = delete;
  TracedWait& operator=(const TracedWait&) = delete;

 private:
  std::uint64_t event_;
};

}  // namespace emulated_gpu
