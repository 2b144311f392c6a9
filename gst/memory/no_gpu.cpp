// SPDX-License-Identifier: LGPL-2.1-or-later
// Replaces gpu.cpp in a build without CUDA: there is never a context.
#include "gst/memory/gpu.h"
#include "mosaic/base/error.h"

namespace mosaic_gst {

struct Gpu::ExecutorResources {};

bool Gpu::built_in() {
  return false;
}

void Gpu::warn_without_driver(GstPlugin*) {}

int Gpu::map_flag() {
  return 0;
}

void Gpu::find_context(int) {
  throw mosaic::Error(mosaic::Error::Kind::kNotFound, "device=cuda: this build has no CUDA support",
                      "set device to auto or cpu");
}

bool Gpu::is_in_other_context(GstBuffer*) const {
  return false;
}

void Gpu::adopt_context(GstBuffer*, int) {}

void Gpu::copy(const GstVideoInfo&, GstBuffer*, GstBuffer*) {}

void Gpu::drop_context() {}

void Gpu::set_context(GstContext*, int) {}

bool Gpu::answer_context_query(GstQuery*) {
  return false;
}

Owned<GstBufferPool> Gpu::make_pool(GstCaps*, guint, guint, GstBuffer*, guint*) {
  throw mt::GpuError("this build has no CUDA support");
}

bool Gpu::configure_pool(GstBufferPool*, GstCaps*, guint, guint, guint*) {
  return false;
}

std::shared_ptr<mt::GpuExecutor> Gpu::make_executor(int) {
  throw mt::GpuError("this build has no CUDA support");
}

bool Gpu::synchronise(mt::GpuExecutor&, GstBuffer*, GstBuffer*) {
  return true;
}

}  // namespace mosaic_gst
