// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <algorithm>

#include "kernels/group.h"

namespace mt {

/// The memory that a group shares on the host, followed by guard bytes which show whether a kernel
/// wrote past its kShared. Not initialised, as on a GPU.
class GroupMemory {
 public:
  GroupMemory() = default;
  GroupMemory(const GroupMemory&) = delete;
  GroupMemory& operator=(const GroupMemory&) = delete;

  /// Prepares for a kernel whose groups share `bytes`, 0..kSharedBytes.
  void set_guard(int bytes) {
    guard_ = data_ + bytes;
    std::fill_n(guard_, kGuardBytes, kGuard);
  }
  /// Whether nothing was written to the guard since set_guard().
  bool guard_is_intact() const {
    return std::all_of(guard_, guard_ + kGuardBytes, [](unsigned char v) { return v == kGuard; });
  }
  /// At a multiple of kSharedAlignment.
  unsigned char* data() { return data_; }

 private:
  static constexpr int kGuardBytes = 256;
  static constexpr unsigned char kGuard = 0x5a;

  alignas(kSharedAlignment) unsigned char data_[kSharedBytes + kGuardBytes];
  unsigned char* guard_ = data_ + kSharedBytes;
};

}  // namespace mt
