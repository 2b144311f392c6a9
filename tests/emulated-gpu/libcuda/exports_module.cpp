// SPDX-License-Identifier: LGPL-2.1-or-later
// The driver's functions for modules and launches.
#include "tests/emulated-gpu/libcuda/calls.h"
#include "tests/emulated-gpu/libcuda/module.h"

using namespace emulated_gpu;

EMULATED_GPU_EXPORT Result cuModuleLoadData(Module** module, const void* image) {
  return in_context("cuModuleLoadData",
                    [&](Context& context) { return load_module(&context, image, module); });
}

EMULATED_GPU_EXPORT Result cuModuleLoadDataEx(Module** module, const void* image, unsigned, int*,
                                              void**) {
  return in_context("cuModuleLoadDataEx",
                    [&](Context& context) { return load_module(&context, image, module); });
}

EMULATED_GPU_EXPORT Result cuModuleUnload(Module* module) {
  return release("cuModuleUnload", [&](Context& context) {
    finish(context);
    if (unload_module(module)) return kSuccess;
    return mistake(kInvalidHandle, "cuModuleUnload: no such module exists");
  });
}

EMULATED_GPU_EXPORT Result cuModuleGetFunction(Function** function, Module* module,
                                               const char* name) {
  return in_context("cuModuleGetFunction",
                    [&](Context&) { return find_function(module, name, function); });
}

/// No registered kernel has a global variable.
EMULATED_GPU_EXPORT Result cuModuleGetGlobal(DevicePointer*, std::size_t*, Module*, const char*) {
  return in_context("cuModuleGetGlobal", [](Context&) { return kNotFound; });
}
EMULATED_GPU_ALSO(cuModuleGetGlobal_v2, cuModuleGetGlobal);

EMULATED_GPU_EXPORT Result cuFuncGetAttribute(int* value, int attribute, Function* function) {
  return in_context("cuFuncGetAttribute",
                    [&](Context&) { return function_attribute(function, attribute, value); });
}

EMULATED_GPU_EXPORT Result cuFuncSetAttribute(Function* function, int attribute, int value) {
  return in_context("cuFuncSetAttribute",
                    [&](Context&) { return set_function_attribute(function, attribute, value); });
}

/// `extra`, the other way to pass arguments, is not emulated.
EMULATED_GPU_EXPORT Result cuLaunchKernel(Function* function, unsigned grid_x, unsigned grid_y,
                                          unsigned grid_z, unsigned block_x, unsigned block_y,
                                          unsigned block_z, unsigned shared_bytes, Stream* stream,
                                          void** params, void** extra) {
  return on_stream("cuLaunchKernel", stream, [&](const auto& stream) {
    if (extra) return kNotSupported;
    const Shape shape{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes};
    return launch(*stream->context, stream, function, shape, params);
  });
}
