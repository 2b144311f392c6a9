// SPDX-License-Identifier: LGPL-2.1-or-later
#include <dlfcn.h>
#include <unwind.h>

#include <string>
#include <string_view>

#include "tests/emulated-gpu/libcuda/faults.h"

namespace emulated_gpu {
namespace {

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// Libraries that call the driver for others: libgstcuda, the libraries between it and a plugin,
/// and the emulated encoder.
bool acts_for_others(std::string_view name) {
  const bool gstreamer = name.starts_with("libgst") && name.find("-1.0.so") != name.npos;
  if (gstreamer) return true;
  for (std::string_view runtime :
       {"libcuda.", "libnvidia-encode.", "libglib-", "libgobject-", "libgmodule-", "libc.",
        "libstdc++.", "libpthread.", "ld-linux", "libasan.", "libtsan."})
    if (name.starts_with(runtime)) return true;
  return false;
}

_Unwind_Reason_Code visit(_Unwind_Context* context, void* data) {
  Dl_info info;
  // A return address may be the first byte after the function that contains the call.
  if (!dladdr(reinterpret_cast<void*>(_Unwind_GetIP(context) - 1), &info) || !info.dli_fname)
    return _URC_NO_REASON;
  const std::string_view name = file_name(info.dli_fname);
  if (acts_for_others(name)) return _URC_NO_REASON;
  *static_cast<std::string*>(data) = name;
  return _URC_END_OF_STACK;
}

}  // namespace

std::string caller() {
  std::string name;
  _Unwind_Backtrace(visit, &name);
  return name;
}

bool called_from(const char* object) {
  return caller().starts_with(object);
}

}  // namespace emulated_gpu
