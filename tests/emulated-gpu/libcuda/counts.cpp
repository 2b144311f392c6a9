// SPDX-License-Identifier: LGPL-2.1-or-later
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "tests/emulated-gpu/libcuda/context.h"
#include "tests/emulated-gpu/libcuda/control.h"
#include "tests/emulated-gpu/libcuda/copy.h"
#include "tests/emulated-gpu/libcuda/faults.h"
#include "tests/emulated-gpu/libcuda/memory.h"
#include "tests/emulated-gpu/libcuda/module.h"
#include "tests/emulated-gpu/libcuda/stream.h"

using namespace emulated_gpu;

void emulated_gpu_counts(EmulatedGpuCounts* counts) {
  const MemoryCounts memory = count_memory();
  const Copied bytes = copied();
  *counts = {live_contexts(), memory.device_blocks, memory.device_bytes, memory.pinned_blocks,
             live_streams(),  live_events(),        live_modules(),      pending_work(),
             abandoned(),     mistakes(),           bytes.uploads,       bytes.downloads,
             launches()};
}

namespace {

[[gnu::destructor]] void at_exit() {
  check_red_zones("exit");
  const char* path = std::getenv("EMULATED_GPU_SUMMARY");
  std::FILE* file = path ? std::fopen(path, "a") : nullptr;
  if (!file) return;
  EmulatedGpuCounts c;
  emulated_gpu_counts(&c);
  const struct {
    const char* name;
    std::uint64_t value;
  } fields[] = {{"contexts", c.contexts},         {"device_blocks", c.device_blocks},
                {"device_bytes", c.device_bytes}, {"pinned_blocks", c.pinned_blocks},
                {"streams", c.streams},           {"events", c.events},
                {"modules", c.modules},           {"pending", c.pending},
                {"abandoned", c.abandoned},       {"mistakes", c.mistakes},
                {"uploads", c.uploads},           {"downloads", c.downloads},
                {"launches", c.launches},         {"calls", emulated_gpu_calls(nullptr)}};
  for (const auto& [name, value] : fields) std::fprintf(file, "%s=%" PRIu64 " ", name, value);
  std::fprintf(file, "\n");
  std::fclose(file);
}

}  // namespace
