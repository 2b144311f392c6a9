// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <xxhash.h>

#include <cstddef>
#include <new>

namespace mosaic {

/// XXH3 with 128 bits, of data that is added in parts.
class HashState {
 public:
  HashState() : state_(XXH3_createState()) {
    if (!state_) throw std::bad_alloc();
    XXH3_128bits_reset(state_);
  }
  ~HashState() { XXH3_freeState(state_); }
  HashState(const HashState&) = delete;
  HashState& operator=(const HashState&) = delete;
  void add(const void* data, size_t size) { XXH3_128bits_update(state_, data, size); }
  XXH128_hash_t digest() const { return XXH3_128bits_digest(state_); }

 private:
  XXH3_state_t* state_;
};

}  // namespace mosaic
