// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libcuda/module.h"

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tests/emulated-gpu/libcuda/context.h"
#include "tests/emulated-gpu/libcuda/control.h"
#include "tests/emulated-gpu/libcuda/faults.h"
#include "tests/emulated-gpu/libcuda/handles.h"
#include "tests/emulated-gpu/libcuda/memory.h"
#include "tests/emulated-gpu/libcuda/stream.h"

namespace emulated_gpu {

struct Function {
  Context* context;
  const void* module;
  std::string name;
  std::atomic<unsigned> max_dynamic_shared{kSharedPerBlock};
};

namespace {

struct Kernel {
  std::vector<std::size_t> param_bytes;
  EmulatedGpuKernel run;
  void* user;
};

struct Kernels {
  std::mutex mutex;
  std::map<std::string, Kernel> by_name;
};

Kernels& kernels() {
  return immortal<Kernels>();
}
Handles<Module>& modules() {
  return immortal<Handles<Module>>();
}
Handles<Function>& functions() {
  return immortal<Handles<Function>>();
}
std::atomic<std::size_t> launches_run{0};

bool find_kernel(const std::string& name, Kernel* kernel) {
  std::lock_guard lock(kernels().mutex);
  const auto found = kernels().by_name.find(name);
  if (found == kernels().by_name.end()) return false;
  *kernel = found->second;
  return true;
}

void forget_functions(const void* module) {
  for (const auto& function : functions().all())
    if (function->module == module) functions().remove(function.get());
}

/// The limits of compute capability 8.6, from the CUDA programming guide's table.
bool possible(const Shape& shape, unsigned max_dynamic_shared) {
  const auto& [grid, block, shared_bytes] = shape;
  for (int i = 0; i < 3; ++i)
    if (grid[i] == 0 || block[i] == 0) return false;
  return grid[0] <= 0x7fffffff && grid[1] <= 65535 && grid[2] <= 65535 && block[0] <= 1024 &&
         block[1] <= 1024 && block[2] <= 64 &&
         std::size_t{block[0]} * block[1] * block[2] <= 1024 && shared_bytes <= max_dynamic_shared;
}

/// Runs a kernel with its copied arguments, and then checks the red zones.
Result run(const std::string& name, const Kernel& kernel, const Shape& shape,
           std::vector<std::vector<unsigned char>>& arguments) {
  std::vector<void*> params;
  params.reserve(arguments.size());
  for (auto& argument : arguments) params.push_back(argument.data());
  EmulatedGpuLaunch launch{params.data(), {}, {}, shape.shared_bytes, kernel.user};
  std::memcpy(launch.grid, shape.grid, sizeof launch.grid);
  std::memcpy(launch.block, shape.block, sizeof launch.block);
  kernel.run(&launch);
  ++launches_run;
  return check_red_zones(name.c_str()) ? kSuccess : kIllegalAddress;
}

}  // namespace

Result load_module(Context* context, const void* image, Module** module) {
  if (!image || !module) return kInvalidValue;
  if (!*static_cast<const char*>(image)) return kInvalidImage;
  *module = modules().add(std::make_shared<Module>(Module{context}));
  return kSuccess;
}

bool unload_module(const void* handle) {
  if (!modules().remove(handle)) return false;
  forget_functions(handle);
  return true;
}

std::size_t unload_modules(Context* context) {
  return modules().release_of(context, unload_module);
}

std::size_t live_modules() {
  return modules().size();
}

Result find_function(const void* module, const char* name, Function** function) {
  if (!name || !function) return kInvalidValue;
  const auto owner = modules().find(module);
  if (!owner) return mistake(kInvalidHandle, "cuModuleGetFunction: no such module exists");
  Kernel kernel;
  if (!find_kernel(name, &kernel)) return kNotFound;
  for (const auto& known : functions().all())
    if (known->module == module && known->name == name) {
      *function = known.get();
      return kSuccess;
    }
  auto found = std::make_shared<Function>();
  found->context = owner->context;
  found->module = module;
  found->name = name;
  *function = functions().add(std::move(found));
  return kSuccess;
}

Result function_attribute(const void* handle, int attribute, int* value) {
  const auto function = functions().find(handle);
  if (!function) return mistake(kInvalidHandle, "cuFuncGetAttribute: no such function exists");
  if (!value) return kInvalidValue;
  *value = 0;
  if (attribute == kFunctionMaxThreads) *value = 1024;
  if (attribute == kFunctionMaxDynamicShared)
    *value = static_cast<int>(function->max_dynamic_shared);
  return kSuccess;
}

Result set_function_attribute(const void* handle, int attribute, int value) {
  const auto function = functions().find(handle);
  if (!function) return mistake(kInvalidHandle, "cuFuncSetAttribute: no such function exists");
  if (attribute != kFunctionMaxDynamicShared) return kSuccess;  // hints
  if (value < 0 || value > static_cast<int>(kSharedPerBlockOptIn)) return kInvalidValue;
  function->max_dynamic_shared = static_cast<unsigned>(value);
  return kSuccess;
}

Result launch(Context& context, const std::shared_ptr<Stream>& stream, const void* handle,
              const Shape& shape, void** params) {
  const auto function = functions().find(handle);
  if (!function) return mistake(kInvalidHandle, "cuLaunchKernel: no such function exists");
  Kernel kernel;
  if (!find_kernel(function->name, &kernel)) return kNotFound;
  if (function->context != &context) return kInvalidHandle;
  if (!possible(shape, function->max_dynamic_shared)) return kInvalidValue;
  if (!params && !kernel.param_bytes.empty()) return kInvalidValue;
  std::vector<std::vector<unsigned char>> arguments;
  for (std::size_t i = 0; i < kernel.param_bytes.size(); ++i) {
    const auto* bytes = static_cast<const unsigned char*>(params[i]);
    arguments.emplace_back(bytes, bytes + kernel.param_bytes[i]);
  }
  submit(stream, function->name, [name = function->name, kernel, shape, arguments]() mutable {
    return run(name, kernel, shape, arguments);
  });
  return kSuccess;
}

std::size_t launches() {
  return launches_run;
}

}  // namespace emulated_gpu

void emulated_gpu_register_kernel(const char* name, const std::size_t* param_bytes,
                                  std::size_t params, EmulatedGpuKernel run, void* user) {
  auto& kernels = emulated_gpu::kernels();
  std::lock_guard lock(kernels.mutex);
  kernels.by_name[name] = {{param_bytes, param_bytes + params}, run, user};
}

void emulated_gpu_forget_kernels() {
  auto& kernels = emulated_gpu::kernels();
  {
    std::lock_guard lock(kernels.mutex);
    kernels.by_name.clear();
  }
  emulated_gpu::register_host_kernels();
}
