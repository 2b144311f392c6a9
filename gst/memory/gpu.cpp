// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/gpu.h"

#include <gst/cuda/gstcudabufferpool.h>
#include <gst/cuda/gstcudacontext.h>
#include <gst/cuda/gstcudaloader.h>
#include <gst/cuda/gstcudamemory.h>
#include <gst/cuda/gstcudautils.h>

#include <string>
#include <utility>

#include "gst/memory/frame_view.h"
#include "gst/memory/mapped_frame.h"
#include "gst/messages/log.h"
#include "mosaic/base/error.h"

#define GST_CAT_DEFAULT mosaic_gst::log_category(mosaic_gst::LogPart::kMemory)

namespace mosaic_gst {
namespace {

constexpr char kHint[] = "install NVIDIA's driver, or set device to cpu";

[[noreturn]] void throw_no_gpu(const std::string& why) {
  throw mosaic::Error(mosaic::Error::Kind::kNotFound, "no GPU can be used: " + why, kHint);
}

guint device_of(GstCudaContext* context) {
  guint id = 0;
  g_object_get(context, "cuda-device-id", &id, nullptr);
  return id;
}

/// The frame's memory; null if it is not CUDA memory.
GstCudaMemory* memory_of(GstBuffer* frame) {
  GstMemory* memory = gst_buffer_n_memory(frame) == 1 ? gst_buffer_peek_memory(frame, 0) : nullptr;
  return memory && gst_is_cuda_memory(memory) ? GST_CUDA_MEMORY_CAST(memory) : nullptr;
}

GstCudaMemory* memory_or_throw(GstBuffer* frame) {
  if (GstCudaMemory* memory = memory_of(frame)) return memory;
  throw mosaic::Error(
      mosaic::Error::Kind::kRead, "a frame is not in CUDA memory although its caps say so",
      "this is a fault of the element that sent the frame: use another element there");
}

// Here GStreamer's versions differ. From 1.24 on each memory has a CUDA stream: work on that stream
// needs no wait, work on any other stream has to wait for it. Before 1.24 all work on a frame has
// to be finished before the frame is sent.
#if GST_CHECK_VERSION(1, 24, 0)

std::shared_ptr<void> owner_of(GstCudaStream* stream) {
  return {stream, [](void* held) {
            if (held) gst_cuda_stream_unref(static_cast<GstCudaStream*>(held));
          }};
}

bool set_pool_stream(GstStructure* config, GstCudaContext* context, GstBuffer* like,
                     std::shared_ptr<void>& own) {
  if (GstCudaStream* has = gst_buffer_pool_config_get_cuda_stream(config)) {
    gst_cuda_stream_unref(has);
    return true;
  }
  GstCudaMemory* memory = like ? memory_of(like) : nullptr;
  GstCudaStream* stream = memory ? gst_cuda_memory_get_stream(memory) : nullptr;
  if (!stream) {
    if (!own) own = owner_of(gst_cuda_stream_new(context));
    stream = static_cast<GstCudaStream*>(own.get());
  }
  if (!stream) return false;
  gst_buffer_pool_config_set_cuda_stream(config, stream);
  return true;
}

bool synchronise_executor(mt::GpuExecutor& executor, GstCudaMemory* in, GstCudaMemory* out,
                          std::shared_ptr<void>& stream_in_use) {
  GstCudaStream *from = gst_cuda_memory_get_stream(in), *to = gst_cuda_memory_get_stream(out);
  if (to != from) gst_cuda_memory_sync(in);
  executor.use_stream(to ? gst_cuda_stream_get_handle(to) : nullptr);
  if (stream_in_use.get() != to) stream_in_use = to ? owner_of(gst_cuda_stream_ref(to)) : nullptr;
  // Upstream may write to the input as soon as it gets the buffer back. If the input's stream is
  // another one, nothing orders those writes after our work, so the caller must wait.
  return !to || to != from;
}

/// @return whether the copy must have finished before either frame is passed on
bool synchronise_copy(GstCudaMemory* in, GstCudaMemory* out, CUstream* stream) {
  GstCudaStream *from = gst_cuda_memory_get_stream(in), *to = gst_cuda_memory_get_stream(out);
  if (to != from) gst_cuda_memory_sync(in);
  *stream = to ? gst_cuda_stream_get_handle(to) : nullptr;
  return !to || to != from;
}

void add_warning(GstPlugin* plugin, const char* text) {
  gst_plugin_add_status_warning(plugin, text);
}

#else

void add_warning(GstPlugin*, const char*) {}

bool set_pool_stream(GstStructure*, GstCudaContext*, GstBuffer*, std::shared_ptr<void>&) {
  return true;
}

bool synchronise_executor(mt::GpuExecutor&, GstCudaMemory*, GstCudaMemory*,
                          std::shared_ptr<void>&) {
  return true;
}

bool synchronise_copy(GstCudaMemory*, GstCudaMemory*, CUstream*) {
  return true;
}

#endif

}  // namespace

/// The context and the stream that an executor uses, kept alive for it.
struct Gpu::ExecutorResources {
  explicit ExecutorResources(GstCudaContext* c) : context(GST_OBJECT(gst_object_ref(c))) {}

  Owned<GstObject> context;
  std::shared_ptr<void> stream;  ///< the stream in use; null: the executor's own
};

bool Gpu::built_in() {
  return true;
}

void Gpu::warn_without_driver(GstPlugin* plugin) {
  if (mt::has_gpu_driver()) return;
  add_warning(plugin,
              "There is no CUDA driver (libcuda.so.1): mosaics are made on the CPU. A driver that "
              "is installed later will be used");
}

int Gpu::map_flag() {
  return GST_MAP_CUDA;
}

void Gpu::find_context(int device_id) {
  if (context_) return;
  if (!mt::has_gpu_driver()) throw_no_gpu("there is no CUDA driver (libcuda.so.1)");
  if (!gst_cuda_load_library()) throw_no_gpu("the CUDA driver is too old for GStreamer");
  // Checked here because libgstcuda 1.22 hangs if it makes a second context after CuInit failed.
  if (const CUresult result = CuInit(0)) {
    const char* text = nullptr;
    CuGetErrorString(result, &text);
    throw_no_gpu("cuInit: " + (text ? text : "error " + std::to_string(result)));
  }
  gst_cuda_memory_init_once();
  // Not under the mutex: this queries the neighbouring elements, which may be querying this one.
  if (!gst_cuda_ensure_element_context(element_, device_id, &context_))
    throw_no_gpu("a CUDA context cannot be created on " +
                 (device_id < 0 ? "any device" : "device " + std::to_string(device_id)));
}

bool Gpu::is_in_other_context(GstBuffer* frame) const {
  GstCudaMemory* memory = memory_of(frame);
  return memory && memory->context != context_;
}

void Gpu::adopt_context(GstBuffer* frame, int device_id) {
  GstCudaMemory* memory = memory_of(frame);
  if (device_id >= 0 && device_of(memory->context) != static_cast<guint>(device_id))
    GST_WARNING_OBJECT(element_, "frames are in the memory of GPU %u: cuda-device-id=%d is ignored",
                       device_of(memory->context), device_id);
  GST_INFO_OBJECT(element_,
                  "changing the CUDA context from %" GST_PTR_FORMAT " to %" GST_PTR_FORMAT,
                  context_, memory->context);
  drop_context();
  const std::lock_guard lock(mutex_);
  context_ = static_cast<GstCudaContext*>(gst_object_ref(memory->context));
}

void Gpu::drop_context() {
  pool_stream_.reset();
  executor_resources_.reset();
  const std::lock_guard lock(mutex_);
  gst_clear_object(&context_);
}

void Gpu::set_context(GstContext* context, int device_id) {
  const std::lock_guard lock(mutex_);
  gst_cuda_handle_set_context(element_, context, device_id, &context_);
}

bool Gpu::answer_context_query(GstQuery* query) {
  Owned<GstObject> context;
  {
    const std::lock_guard lock(mutex_);
    if (!context_) return false;
    context.reset(GST_OBJECT(gst_object_ref(context_)));
  }
  return gst_cuda_handle_context_query(element_, query, GST_CUDA_CONTEXT(context.get()));
}

Owned<GstBufferPool> Gpu::make_pool(GstCaps* caps, guint min, guint max, GstBuffer* like,
                                    guint* size) {
  if (!context_) throw mt::GpuError("a buffer pool was requested before there was a CUDA context");
  Owned<GstBufferPool> pool(gst_cuda_buffer_pool_new(context_));
  if (!configure(pool.get(), caps, min, max, like, size))
    throw mt::GpuError("not enough GPU memory for frames");
  return pool;
}

bool Gpu::configure_pool(GstBufferPool* pool, GstCaps* caps, guint min, guint max, guint* size) {
  return GST_IS_CUDA_BUFFER_POOL(pool) && GST_CUDA_BUFFER_POOL(pool)->context == context_ &&
         configure(pool, caps, min, max, nullptr, size);
}

bool Gpu::configure(GstBufferPool* pool, GstCaps* caps, guint min, guint max, GstBuffer* like,
                    guint* size) {
  GstVideoInfo info;
  if (!gst_video_info_from_caps(&info, caps)) return false;
  Owned<GstStructure> config(gst_buffer_pool_get_config(pool));
  gst_buffer_pool_config_add_option(config.get(), GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_buffer_pool_config_set_params(config.get(), caps, static_cast<guint>(info.size), min, max);
  if (!set_pool_stream(config.get(), context_, like, pool_stream_)) return false;
  if (!gst_buffer_pool_set_config(pool, config.release())) return false;
  // The pool may have changed the size of a frame.
  config.reset(gst_buffer_pool_get_config(pool));
  gst_buffer_pool_config_get_params(config.get(), nullptr, size, nullptr, nullptr);
  return true;
}

std::shared_ptr<mt::GpuExecutor> Gpu::make_executor(int threads) {
  const auto resources = std::make_shared<ExecutorResources>(context_);
  executor_resources_ = resources;
  return mt::make_gpu_executor({gst_cuda_context_get_handle(context_), resources}, threads);
}

void Gpu::copy(const GstVideoInfo& info, GstBuffer* from, GstBuffer* to) {
  GstCudaMemory *source = memory_or_throw(from), *target = memory_or_throw(to);
  MappedFrame in(info, from, GST_MAP_CUDA | GST_MAP_READ);
  MappedFrame out(info, to, GST_MAP_CUDA | GST_MAP_WRITE);
  CUstream stream = nullptr;
  const bool must_wait = synchronise_copy(source, target, &stream);
  if (!gst_cuda_context_push(context_))
    throw mt::GpuError("the CUDA context cannot be made current");
  CUresult result = CUDA_SUCCESS;
  for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES(&*in) && result == CUDA_SUCCESS; ++p) {
    const PlaneExtent extent = plane_extent(*in, p);
    CUDA_MEMCPY2D plane{};
    plane.srcMemoryType = plane.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    plane.srcDevice = reinterpret_cast<CUdeviceptr>(GST_VIDEO_FRAME_PLANE_DATA(&*in, p));
    plane.srcPitch = static_cast<size_t>(GST_VIDEO_FRAME_PLANE_STRIDE(&*in, p));
    plane.dstDevice = reinterpret_cast<CUdeviceptr>(GST_VIDEO_FRAME_PLANE_DATA(&*out, p));
    plane.dstPitch = static_cast<size_t>(GST_VIDEO_FRAME_PLANE_STRIDE(&*out, p));
    plane.WidthInBytes = extent.row;
    plane.Height = extent.rows;
    result = CuMemcpy2DAsync(&plane, stream);
  }
  if (must_wait && result == CUDA_SUCCESS) result = CuStreamSynchronize(stream);
  gst_cuda_context_pop(nullptr);
  if (result != CUDA_SUCCESS)
    throw mt::GpuError("cuMemcpy2DAsync: a frame could not be copied, error " +
                       std::to_string(result));
}

bool Gpu::synchronise(mt::GpuExecutor& executor, GstBuffer* in, GstBuffer* out) {
  GstCudaMemory *from = memory_or_throw(in), *to = memory_or_throw(out);
  return synchronise_executor(executor, from, to, executor_resources_.lock()->stream);
}

}  // namespace mosaic_gst
