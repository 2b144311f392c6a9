// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libcuda/context.h"

#include <mutex>
#include <vector>

#include "tests/emulated-gpu/libcuda/control.h"
#include "tests/emulated-gpu/libcuda/faults.h"
#include "tests/emulated-gpu/libcuda/handles.h"
#include "tests/emulated-gpu/libcuda/memory.h"
#include "tests/emulated-gpu/libcuda/module.h"
#include "tests/emulated-gpu/libcuda/stream.h"

namespace emulated_gpu {
namespace {

Handles<Context>& contexts() {
  return immortal<Handles<Context>>();
}

thread_local std::vector<std::shared_ptr<Context>> stack;

std::atomic<std::size_t> abandoned_things{0};

std::shared_ptr<Context> new_context() {
  auto context = std::make_shared<Context>();
  context->stream0 = open_stream(context.get(), true);
  contexts().add(context);
  return context;
}

struct Primary {
  std::mutex mutex;
  Context* context = nullptr;
  std::size_t users = 0;
};

Primary& primary() {
  return immortal<Primary>();
}

}  // namespace

Context* create_context() {
  stack.push_back(new_context());
  return stack.back().get();
}

Context* retain_primary() {
  std::lock_guard lock(primary().mutex);
  if (primary().users++ == 0) primary().context = new_context().get();
  return primary().context;
}

Result release_primary() {
  std::lock_guard lock(primary().mutex);
  if (primary().users == 0)
    return mistake(kInvalidContext, "cuDevicePrimaryCtxRelease: it was released before");
  return --primary().users == 0 ? destroy_context(primary().context) : kSuccess;
}

Result destroy_context(Context* handle) {
  auto context = contexts().remove(handle);
  if (!context) return mistake(kInvalidContext, "cuCtxDestroy: no such context exists");
  std::size_t left = close_streams(context.get());
  close_stream(context->stream0);
  left += forget_events(context.get());
  left += unload_modules(context.get());
  left += free_blocks(context.get());
  // In a lost context nothing can be released properly.
  if (context->error == kSuccess) abandoned_things += left;
  context->destroyed = true;
  if (!stack.empty() && stack.back() == context) stack.pop_back();
  return context->error;
}

void lose_all_contexts(Result why) {
  for (const auto& context : contexts().all()) {
    context->lose(why);
    finish(*context);  // waits for running work; no other work of the context runs
  }
}

std::shared_ptr<Context> current() {
  return stack.empty() ? nullptr : stack.back();
}

Result push_context(Context* handle) {
  auto context = contexts().find(handle);
  if (!context) return mistake(kInvalidContext, "cuCtxPushCurrent: no such context exists");
  if (context->error != kSuccess) return context->error;
  stack.push_back(std::move(context));
  return kSuccess;
}

Result pop_context(Context** handle) {
  if (stack.empty()) return kInvalidContext;
  const auto context = std::move(stack.back());
  stack.pop_back();
  if (handle) *handle = context.get();
  return context->error;
}

Result set_context(Context* handle) {
  std::shared_ptr<Context> context = contexts().find(handle);
  if (handle && !context)
    return mistake(kInvalidContext, "cuCtxSetCurrent: no such context exists");
  if (context && context->error != kSuccess) return context->error;
  if (!stack.empty()) stack.pop_back();
  if (context) stack.push_back(std::move(context));
  return kSuccess;
}

std::size_t live_contexts() {
  return contexts().size();
}
std::size_t abandoned() {
  return abandoned_things;
}

}  // namespace emulated_gpu

std::size_t emulated_gpu_stack_depth() {
  return emulated_gpu::stack.size();
}
