// SPDX-License-Identifier: LGPL-2.1-or-later
// Replaces the C++ library's operator new and delete. A source of its own, so that the compiler
// does not see that memory of the one is freed by the other's function.
#include "tests/mosaic/operator_new.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

void* allocate(size_t size, size_t alignment) {
  if (test::allocation_fails()) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size ? size : 1);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(size_t size, size_t alignment) {
  void* memory = allocate(size, alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t size) {
  return allocate_or_throw(size, 1);
}
void* operator new(size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<size_t>(alignment));
}
// The C++ library sorts in memory that it asks for with std::nothrow and returns to operator
// delete.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, 1);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
