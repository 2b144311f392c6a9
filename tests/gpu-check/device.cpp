// SPDX-License-Identifier: LGPL-2.1-or-later
#include <dlfcn.h>

#include "cuda/driver.h"
#include "tests/gpu-check/check.h"

namespace gpu_check {
namespace {

/// Attributes for cuDeviceGetAttribute.
enum Attribute {
  kClock = 13,  ///< kHz
  kMultiprocessors = 16,
  kMemoryClock = 36,     ///< kHz
  kMemoryBusWidth = 37,  ///< bits
  kL2Bytes = 38,
  kComputeMajor = 75,
  kComputeMinor = 76,
};

/// An attribute of the device; 0 if the driver does not know it.
int attribute(const mt::Driver& cu, Attribute which, int device) {
  int value = 0;
  return cu.cuDeviceGetAttribute(&value, which, device) == 0 ? value : 0;
}

bool is_emulation() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return library && dlsym(library, "emulated_gpu_calls");
}

Value known(int64_t value) {
  return value ? Value(value) : Value("unknown");
}

}  // namespace

Gpu open_device(Report& report, int ordinal) {
  const mt::GpuContext context = mt::primary_gpu_context(ordinal);
  const mt::Driver& cu = *mt::driver();
  int device = 0, version = 0;
  char name[256] = "";
  MT_GPU_CALL(cu, cuDeviceGet, &device, ordinal);
  MT_GPU_CALL(cu, cuDeviceGetName, name, sizeof name, device);
  MT_GPU_CALL(cu, cuDriverGetVersion, &version);

  Gpu gpu;
  gpu.emulated = is_emulation();
  const int64_t clock = attribute(cu, kMemoryClock, device);
  const int64_t bus = attribute(cu, kMemoryBusWidth, device);
  // Two transfers per clock cycle.
  gpu.bandwidth = static_cast<double>(2 * clock * 1000 * (bus / 8)) * 1e-9;

  Table& t = report.add("device", "Device", {"what", "value"});
  t.rows = {{"name", name},
            {"real or emulated", gpu.emulated ? "emulated" : "real"},
            {"driver's CUDA version",
             std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10)},
            {"compute capability", std::to_string(attribute(cu, kComputeMajor, device)) + "." +
                                       std::to_string(attribute(cu, kComputeMinor, device))},
            {"multiprocessors", known(attribute(cu, kMultiprocessors, device))},
            {"clock (MHz)", known(attribute(cu, kClock, device) / 1000)},
            {"L2 cache (KiB)", known(attribute(cu, kL2Bytes, device) / 1024)},
            {"memory clock (MHz)", known(clock / 1000)},
            {"memory bus (bits)", known(bus)},
            {"memory bandwidth in theory (GB/s)", known(static_cast<int64_t>(gpu.bandwidth))}};
  gpu.executor = mt::make_gpu_executor(context, 0);
  return gpu;
}

}  // namespace gpu_check
