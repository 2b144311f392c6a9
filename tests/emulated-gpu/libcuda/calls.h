// SPDX-License-Identifier: LGPL-2.1-or-later
/// What every exported function does before and after its work: counts the call and injects faults
/// (see control.h).
#pragma once

#include "tests/emulated-gpu/libcuda/context.h"
#include "tests/emulated-gpu/libcuda/driver.h"
#include "tests/emulated-gpu/libcuda/faults.h"
#include "tests/emulated-gpu/libcuda/stream.h"

#define EMULATED_GPU_EXPORT extern "C" __attribute__((visibility("default")))
/// A second name for an exported function of the same file.
#define EMULATED_GPU_ALSO(alias_name, name) \
  extern "C" __attribute__((visibility("default"), alias(#name))) decltype(name) alias_name

namespace emulated_gpu {

bool initialised();

/// A function that needs no context.
template <class Body>
Result plain(const char* name, Body body) {
  if (const Fault fault = book_call(name); fault.now != kSuccess) return fault.now;
  return initialised() ? body() : kNotInitialised;
}

/// A function that works in the current context.
template <class Body>
Result in_context(const char* name, Body body) {
  const Fault fault = book_call(name);
  if (fault.now != kSuccess) return fault.now;
  const auto context = current();
  if (!context) return kInvalidContext;
  if (context->destroyed) return kContextIsDestroyed;
  if (context->error != kSuccess) return context->error;
  fail_next_work(fault.late);
  const Result result = body(*context);
  fail_next_work(kSuccess);
  return result;
}

/// A function that works on a stream of the current context.
template <class Body>
Result on_stream(const char* name, const void* handle, Body body) {
  return in_context(name, [&](Context& context) {
    const auto stream = find_stream(context, handle);
    if (!stream) return mistake(kInvalidHandle, "%s: no such stream exists", name);
    if (stream->context != &context) return kInvalidHandle;
    return body(stream);
  });
}

/// A function that releases something of the current context, even if the call fails.
template <class Body>
Result release(const char* name, Body body) {
  const Fault fault = book_call(name);
  const auto context = current();
  if (!context) return kInvalidContext;
  if (context->destroyed) return kContextIsDestroyed;
  const Result result = body(*context);
  if (fault.now != kSuccess) return fault.now;
  return result != kSuccess ? result : context->error.load();
}

}  // namespace emulated_gpu
