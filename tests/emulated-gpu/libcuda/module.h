// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <memory>

#include "tests/emulated-gpu/libcuda/driver.h"

namespace emulated_gpu {

struct Context;
struct Stream;

/// Every module contains every registered kernel. Of the image only its presence is checked.
struct Module {
  Context* context;
};

/// A kernel of a module; exists as long as the module.
struct Function;

struct Shape {
  unsigned grid[3], block[3], shared_bytes;
};

inline constexpr unsigned kSharedPerBlock = 48 << 10;
inline constexpr unsigned kSharedPerBlockOptIn = 99 << 10;

Result load_module(Context* context, const void* image, Module** module);
bool unload_module(const void* handle);
std::size_t unload_modules(Context* context);
std::size_t live_modules();

/// kNotFound if no such kernel is registered; kInvalidHandle if there is no such module.
Result find_function(const void* module, const char* name, Function** function);
/// Attributes of a function: its largest block and its dynamic shared memory.
Result function_attribute(const void* function, int attribute, int* value);
Result set_function_attribute(const void* function, int attribute, int value);

/// Checks the shape, copies the arguments and queues the kernel.
Result launch(Context& context, const std::shared_ptr<Stream>& stream, const void* function,
              const Shape& shape, void** params);
std::size_t launches();

/// Registers the host build of the product's kernels under their names in its image. A launch that
/// a GPU would refuse or run wrongly is a mistake.
void register_host_kernels();

}  // namespace emulated_gpu
