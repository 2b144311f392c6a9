// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libcuda/faults.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/emulated-gpu/libcuda/context.h"
#include "tests/emulated-gpu/libcuda/control.h"
#include "tests/emulated-gpu/libcuda/handles.h"
#include "tests/emulated-gpu/libcuda/trace.h"

namespace emulated_gpu {
namespace {

using Names = std::vector<std::string>;

struct Armed {
  Names names;
  std::uint64_t left;
  Result error;
  EmulatedGpuFault when;
};

struct Faults {
  std::mutex mutex;
  std::vector<Armed> armed;
  std::map<std::string, std::uint64_t> calls;
  std::string last_struck;
  std::string only_from;
  bool abort = true;
  std::uint64_t mistakes = 0;
  std::string last_mistake;
};

Faults& faults() {
  return immortal<Faults>();
}

Names split(const char* list) {
  Names names;
  std::istringstream text(list ? list : "");
  for (std::string name; std::getline(text, name, ',');) {
    if (name == "alloc") {
      for (const char* each : {"cuMemAlloc", "cuMemAllocPitch", "cuMemAllocHost", "cuMemHostAlloc"})
        names.push_back(each);
    } else {
      names.push_back(name);
    }
  }
  return names;
}

bool matches(const Names& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

void arm(Names names, std::uint64_t n, int error, EmulatedGpuFault when) {
  std::lock_guard lock(faults().mutex);
  faults().armed.push_back({std::move(names), n, static_cast<Result>(error), when});
}

/// Parses N:ERROR[:WHEN[:NAMES]]. Ends the process if that fails, because without the fault a test
/// would pass.
void arm_from_environment(const char* text) {
  static const std::map<std::string, EmulatedGpuFault> kinds = {
      {"once", EMULATED_GPU_ONCE}, {"late", EMULATED_GPU_LATE}, {"lost", EMULATED_GPU_LOST}};
  char when[8] = "once", names[512] = "";
  unsigned long n = 0;
  int error = 0;
  const int read = std::sscanf(text, "%lu:%d:%7[a-z]:%511s", &n, &error, when, names);
  const auto kind = kinds.find(when);
  if (read < 2 || n == 0 || kind == kinds.end()) {
    std::fprintf(stderr, "emulated GPU: EMULATED_GPU_FAULT not understood: %s\n", text);
    std::abort();
  }
  arm(split(names), n, error, kind->second);
}

[[gnu::constructor]] void read_faults_of_environment() {
  if (const char* text = std::getenv("EMULATED_GPU_FAULT")) arm_from_environment(text);
  if (const char* object = std::getenv("EMULATED_GPU_CALLER")) emulated_gpu_only_from(object);
}

/// The fault planned for this call, if any. Counts down every planned fault.
bool strike(Faults& state, const std::string& name, Armed* struck) {
  bool found = false;
  for (auto armed = state.armed.begin(); armed != state.armed.end();) {
    if (matches(armed->names, name) && --armed->left == 0) {
      *struck = *armed;
      state.last_struck = name;
      found = true;
      armed = state.armed.erase(armed);
    } else {
      ++armed;
    }
  }
  return found;
}

}  // namespace

Result mistake(Result code, const char* format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);

  std::lock_guard lock(faults().mutex);
  ++faults().mistakes;
  faults().last_mistake = line;
  if (faults().abort) {
    std::fprintf(stderr, "emulated GPU: %s\n", line);
    std::abort();
  }
  return code;
}

std::uint64_t mistakes() {
  std::lock_guard lock(faults().mutex);
  return faults().mistakes;
}

Fault book_call(const char* name) {
  trace_call(name);
  Armed struck;
  {
    std::unique_lock lock(faults().mutex);
    if (const std::string object = faults().only_from; !object.empty()) {
      lock.unlock();  // the dynamic loader takes locks of its own
      if (!called_from(object.c_str())) return {};
      lock.lock();
    }
    ++faults().calls[name];
    if (!strike(faults(), name, &struck)) return {};
  }
  if (struck.when == EMULATED_GPU_LATE) return {kSuccess, struck.error};
  if (struck.when == EMULATED_GPU_LOST) lose_all_contexts(struck.error);
  return {struck.error, kSuccess};
}

}  // namespace emulated_gpu

using emulated_gpu::faults;

void emulated_gpu_abort_on_mistake(bool abort) {
  std::lock_guard lock(faults().mutex);
  faults().abort = abort;
}

const char* emulated_gpu_last_mistake() {
  thread_local std::string copy;
  std::lock_guard lock(faults().mutex);
  copy = faults().last_mistake;
  return copy.c_str();
}

void emulated_gpu_fault(const char* names, std::uint64_t n, int error, EmulatedGpuFault when) {
  emulated_gpu::arm(emulated_gpu::split(names), n, error, when);
}

void emulated_gpu_clear_faults() {
  std::lock_guard lock(faults().mutex);
  faults().armed.clear();
  faults().last_struck.clear();
}

const char* emulated_gpu_struck() {
  thread_local std::string copy;
  std::lock_guard lock(faults().mutex);
  copy = faults().last_struck;
  return copy.c_str();
}

std::uint64_t emulated_gpu_calls(const char* names) {
  const auto wanted = emulated_gpu::split(names);
  std::lock_guard lock(faults().mutex);
  std::uint64_t sum = 0;
  for (const auto& [name, calls] : faults().calls)
    if (emulated_gpu::matches(wanted, name)) sum += calls;
  return sum;
}

void emulated_gpu_reset_calls() {
  std::lock_guard lock(faults().mutex);
  faults().calls.clear();
}

int emulated_gpu_enter(const char* name) {
  const emulated_gpu::Fault fault = emulated_gpu::book_call(name);
  return fault.now != emulated_gpu::kSuccess ? fault.now : fault.late;
}

void emulated_gpu_only_from(const char* object) {
  std::lock_guard lock(faults().mutex);
  faults().only_from = object ? object : "";
}

int emulated_gpu_book_call(const char* name) {
  return emulated_gpu::book_call(name).now;
}
