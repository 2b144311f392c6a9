// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cuda/driver.h"

#include <gmodule.h>

#include <optional>
#include <string>

#include "cuda/gpu_executor.h"

namespace mt {
namespace {

std::optional<Driver> open_driver() {
  GModule* library = g_module_open("libcuda.so.1", G_MODULE_BIND_LAZY);
  if (!library) return std::nullopt;
  g_module_make_resident(library);  // never unloaded: the driver runs threads of its own
  Driver driver;
#define MT_DRIVER_FIND(name, symbol, parameters)              \
  {                                                           \
    gpointer found = nullptr;                                 \
    g_module_symbol(library, symbol, &found);                 \
    driver.name = reinterpret_cast<int(*) parameters>(found); \
    if (!found) return std::nullopt;                          \
  }
  MT_DRIVER_FUNCTIONS(MT_DRIVER_FIND)
#undef MT_DRIVER_FIND
  return driver;
}

}  // namespace

const Driver* driver() {
  static const std::optional<Driver> opened = open_driver();
  return opened ? &*opened : nullptr;
}

bool has_gpu_driver() {
  return driver() != nullptr;
}

std::string error_text(const Driver& driver, int result) {
  const char *name = nullptr, *text = nullptr;
  driver.cuGetErrorName(result, &name);
  driver.cuGetErrorString(result, &text);
  return std::string(text ? text : "unknown error") + " (" +
         (name ? name : std::to_string(result)) + ")";
}

std::string driver_version(const Driver& driver) {
  int version = 0;  // 1000 major + 10 minor
  if (driver.cuDriverGetVersion(&version) != 0) return "of unknown version";
  return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

void check_gpu(const Driver& driver, int result, const char* function) {
  if (result != 0) throw GpuError(std::string(function) + ": " + error_text(driver, result));
}

}  // namespace mt
