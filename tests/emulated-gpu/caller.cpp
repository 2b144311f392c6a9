// SPDX-License-Identifier: LGPL-2.1-or-later
#include <dlfcn.h>
#include <execinfo.h>

#include <array>
#include <string_view>

#include "tests/emulated-gpu/faults.h"

namespace emulated_gpu {
namespace {

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// Libraries that call the driver for others: libgstcuda, and whatever leads to it.
bool acts_for_others(std::string_view name) {
  const bool gstreamer = name.starts_with("libgst") && name.find("-1.0.so") != name.npos;
  if (gstreamer) return true;
  for (std::string_view runtime : {"libcuda.", "libglib-", "libgobject-", "libgmodule-", "libc.",
                                   "libstdc++.", "libpthread.", "ld-linux", "libasan.", "libtsan."})
    if (name.starts_with(runtime)) return true;
  return false;
}

}  // namespace

bool called_from(const char* object) {
  std::array<void*, 64> frames;
  const int depth = backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int i = 0; i < depth; ++i) {
    Dl_info info;
    // A return address may be the first byte after its function.
    if (!dladdr(static_cast<char*>(frames[i]) - 1, &info) || !info.dli_fname) continue;
    const std::string_view name = file_name(info.dli_fname);
    if (!acts_for_others(name)) return name.starts_with(object);
  }
  return false;
}

}  // namespace emulated_gpu
