// SPDX-License-Identifier: LGPL-2.1-or-later
/// What every function of the encoder does before its work: counts the call, injects faults (see
/// control.h) and finds the session.
#pragma once

#include <memory>
#include <mutex>

#include "tests/emulated-gpu/libcuda/control.h"
#include "tests/emulated-gpu/libnvidia-encode/session.h"

namespace emulated_nvenc {

inline NVENCSTATUS fault_of(const char* name) {
  return static_cast<NVENCSTATUS>(emulated_gpu_book_call(name));
}

/// @param body  called with the session and the lock of its mutex
template <class Body>
NVENCSTATUS locked(void* handle, Body body) {
  if (!handle) return NV_ENC_ERR_INVALID_PTR;
  const auto session = sessions().find(handle);
  if (!session) return NV_ENC_ERR_INVALID_ENCODERDEVICE;
  std::unique_lock lock(session->mutex);
  return body(*session, lock);
}

/// A function that works in a session.
template <class Body>
NVENCSTATUS in_session(const char* name, void* handle, Body body) {
  if (const NVENCSTATUS fault = fault_of(name); fault != NV_ENC_SUCCESS) return fault;
  return locked(handle, [&](Session& session, auto&) { return body(session); });
}

/// A function with parameters that have a version.
template <class Parameters, class Body>
NVENCSTATUS with(const char* name, void* handle, Parameters* parameters, std::uint32_t version,
                 Body body) {
  return in_session(name, handle, [&](Session& session) {
    if (!parameters) return NV_ENC_ERR_INVALID_PTR;
    if (parameters->version != version)
      return session.fail(NV_ENC_ERR_INVALID_VERSION, "version of the parameters");
    return body(session);
  });
}

/// A function that releases something, even if the call fails.
template <class Body>
NVENCSTATUS release(const char* name, void* handle, Body body) {
  const NVENCSTATUS fault = fault_of(name);
  const NVENCSTATUS result = locked(handle, [&](Session& session, auto&) { return body(session); });
  return fault != NV_ENC_SUCCESS ? fault : result;
}

}  // namespace emulated_nvenc
