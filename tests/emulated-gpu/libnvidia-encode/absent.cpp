// SPDX-License-Identifier: LGPL-2.1-or-later
// Functions that are not emulated. They refuse as those of a driver that does not have them.
#include "tests/emulated-gpu/libnvidia-encode/calls.h"
#include "tests/emulated-gpu/libnvidia-encode/functions.h"

namespace emulated_nvenc {
namespace {

template <class... Arguments>
using Function = NVENCSTATUS (*)(Arguments...);

/// A function of any type that always refuses.
struct Refusal {
  template <class... Arguments>
  operator Function<Arguments...>() const {
    return [](Arguments...) { return NV_ENC_ERR_UNIMPLEMENTED; };
  }
};

}  // namespace

void list_absent(NV_ENCODE_API_FUNCTION_LIST* list) {
  list->nvEncOpenEncodeSession = Refusal();
  list->nvEncGetEncodeStats = Refusal();
  list->nvEncRegisterAsyncEvent = Refusal();
  list->nvEncUnregisterAsyncEvent = Refusal();
  list->nvEncInvalidateRefFrames = Refusal();
  list->nvEncCreateMVBuffer = Refusal();
  list->nvEncDestroyMVBuffer = Refusal();
  list->nvEncRunMotionEstimationOnly = Refusal();
  list->nvEncGetSequenceParamEx = Refusal();
}

}  // namespace emulated_nvenc
