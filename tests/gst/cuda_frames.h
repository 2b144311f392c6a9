// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Shared by the tests with an emulated GPU: a context, and frames in its memory.
#pragma once

#include <gst/cuda/gstcudabufferpool.h>
#include <gst/cuda/gstcudacontext.h>
#include <gst/cuda/gstcudaloader.h>
#include <gst/cuda/gstcudamemory.h>
#include <gst/cuda/gstcudautils.h>

#include <map>

#include "tests/emulated-gpu/libcuda/control.h"
#include "tests/gst/harness.h"

namespace element_test {

/// Formats that can lie in CUDA memory.
inline const std::vector<std::string>& cuda_formats() {
  static const std::vector<std::string> formats = {"NV12", "I420",      "RGBA",    "BGRA",
                                                   "RGB",  "BGR",       "RGBP",    "BGRP",
                                                   "GBR",  "P010_10LE", "P016_LE", "I420_10LE"};
  return formats;
}

inline Caps cuda_caps(const std::string& format, int width, int height) {
  Caps caps = video_caps(format, width, height);
  gst_caps_set_features(caps.get(), 0,
                        gst_caps_features_new(GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY, nullptr));
  return caps;
}

/// All visible samples of a frame, including alpha.
inline std::vector<std::vector<uint8_t>> picture_of(const GstVideoInfo& info,
                                                    const Buffer& buffer) {
  std::vector<std::vector<uint8_t>> all;
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS(&info); ++c)
    all.push_back(samples_of(info, buffer, static_cast<int>(c)));
  return all;
}

/// A CUDA context of the test's own, and buffer pools in it.
class Cuda {
 public:
  /// @param streams whether memories have a CUDA stream that orders the work on them
  /// (GStreamer 1.24
  ///                and later)
  explicit Cuda([[maybe_unused]] bool streams = false) {
    EXPECT_TRUE(gst_cuda_load_library()) << "the emulated driver was not found";
    gst_cuda_memory_init_once();
    context_ = gst_cuda_context_new(0);
    EXPECT_NE(context_, nullptr);
#if GST_CHECK_VERSION(1, 24, 0)
    if (streams) stream_ = gst_cuda_stream_new(context_);
#endif
  }
  ~Cuda() {
#if GST_CHECK_VERSION(1, 24, 0)
    gst_clear_cuda_stream(&stream_);
#endif
    gst_object_unref(context_);
  }
  Cuda(const Cuda&) = delete;
  Cuda& operator=(const Cuda&) = delete;

  GstCudaContext* get() {
    return context_;
  }
  /// The number of references to the context.
  guint references() {
    return G_OBJECT(context_)->ref_count;
  }

  /// Makes an element use the context.
  void give_to(GstElement* element) {
    GstContext* context = gst_context_new_cuda_context(context_);
    gst_element_set_context(element, context);
    gst_context_unref(context);
  }

  /// Copies a frame to this context's memory: the same samples, possibly in another layout.
  Buffer upload(const GstVideoInfo& info, const Buffer& frame) {
    GstBufferPool* pool = make_pool(info);
    GstBuffer* raw = nullptr;
    EXPECT_EQ(gst_buffer_pool_acquire_buffer(pool, &raw, nullptr), GST_FLOW_OK);
    Buffer buffer(raw);
    {
      Mapped host(info, frame);
      Mapped device(info, buffer, static_cast<GstMapFlags>(GST_MAP_WRITE | GST_MAP_CUDA));
      gst_cuda_context_push(context_);
      copy_planes(*host.get(), CU_MEMORYTYPE_HOST, *device.get(), CU_MEMORYTYPE_DEVICE);
      gst_cuda_context_pop(nullptr);
    }
    GST_BUFFER_PTS(raw) = GST_BUFFER_PTS(frame.get());
    GST_BUFFER_DURATION(raw) = GST_BUFFER_DURATION(frame.get());
    gst_buffer_pool_set_active(pool, FALSE);
    gst_object_unref(pool);
    return buffer;
  }

  /// All visible samples of a frame in CUDA memory, including alpha.
  static std::vector<std::vector<uint8_t>> picture_of(const GstVideoInfo& info,
                                                      const Buffer& buffer) {
    const Buffer copy(gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&info), nullptr));
    GstCudaContext* context =
        GST_CUDA_MEMORY_CAST(gst_buffer_peek_memory(buffer.get(), 0))->context;
    {
      Mapped device(info, buffer, static_cast<GstMapFlags>(GST_MAP_READ | GST_MAP_CUDA));
      Mapped host(info, copy, GST_MAP_READWRITE);
      sync(buffer);
      gst_cuda_context_push(context);
      copy_planes(*device.get(), CU_MEMORYTYPE_DEVICE, *host.get(), CU_MEMORYTYPE_HOST);
      gst_cuda_context_pop(nullptr);
    }
    return element_test::picture_of(info, copy);
  }

  /// An active buffer pool.
  GstBufferPool* make_pool(const GstVideoInfo& info) {
    GstBufferPool* pool = gst_cuda_buffer_pool_new(context_);
    GstStructure* config = gst_buffer_pool_get_config(pool);
    const Caps caps = cuda_caps(GST_VIDEO_INFO_NAME(&info), info.width, info.height);
    gst_buffer_pool_config_set_params(config, caps.get(), info.size, 0, 0);
#if GST_CHECK_VERSION(1, 24, 0)
    if (stream_) gst_buffer_pool_config_set_cuda_stream(config, stream_);
#endif
    EXPECT_TRUE(gst_buffer_pool_set_config(pool, config));
    EXPECT_TRUE(gst_buffer_pool_set_active(pool, TRUE));
    return pool;
  }

 private:
  static void copy_planes(const GstVideoFrame& from, CUmemorytype from_type,
                          const GstVideoFrame& to, CUmemorytype to_type) {
    for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES(&from); ++p) {
      gint c[GST_VIDEO_MAX_COMPONENTS];
      gst_video_format_info_component(from.info.finfo, p, c);
      CUDA_MEMCPY2D copy{};
      copy.srcMemoryType = from_type;
      copy.dstMemoryType = to_type;
      copy.srcHost = copy.dstHost = nullptr;
      copy.srcDevice = copy.dstDevice = 0;
      void *source = from.data[p], *target = to.data[p];
      if (from_type == CU_MEMORYTYPE_HOST) {
        copy.srcHost = source;
        copy.dstDevice = reinterpret_cast<CUdeviceptr>(target);
      } else {
        copy.srcDevice = reinterpret_cast<CUdeviceptr>(source);
        copy.dstHost = target;
      }
      copy.srcPitch = static_cast<size_t>(GST_VIDEO_FRAME_PLANE_STRIDE(&from, p));
      copy.dstPitch = static_cast<size_t>(GST_VIDEO_FRAME_PLANE_STRIDE(&to, p));
      copy.WidthInBytes = static_cast<size_t>(GST_VIDEO_FRAME_COMP_WIDTH(&from, c[0])) *
                          static_cast<size_t>(GST_VIDEO_FRAME_COMP_PSTRIDE(&from, c[0]));
      copy.Height = static_cast<size_t>(GST_VIDEO_FRAME_COMP_HEIGHT(&from, c[0]));
      EXPECT_EQ(CuMemcpy2DAsync(&copy, nullptr), CUDA_SUCCESS);
      EXPECT_EQ(CuStreamSynchronize(nullptr), CUDA_SUCCESS);
    }
  }

  static void sync(const Buffer& buffer) {
#if GST_CHECK_VERSION(1, 24, 0)
    gst_cuda_memory_sync(GST_CUDA_MEMORY_CAST(gst_buffer_peek_memory(buffer.get(), 0)));
#else
    (void)buffer;
#endif
  }

  GstCudaContext* context_ = nullptr;
#if GST_CHECK_VERSION(1, 24, 0)
  GstCudaStream* stream_ = nullptr;
#endif
};

/// Numbers of objects that the driver holds now. Contexts are left out, because lost ones remain.
inline std::map<std::string, std::uint64_t> held_by_driver() {
  EmulatedGpuCounts c;
  emulated_gpu_counts(&c);
  return {{"device blocks", c.device_blocks},
          {"pinned blocks", c.pinned_blocks},
          {"streams", c.streams},
          {"events", c.events},
          {"modules", c.modules}};
}

/// Whether a buffer lies in CUDA memory, and in `context` unless that is null.
inline bool in_cuda_memory(const Buffer& buffer, GstCudaContext* context = nullptr) {
  GstMemory* memory = gst_buffer_peek_memory(buffer.get(), 0);
  return gst_is_cuda_memory(memory) &&
         (!context || GST_CUDA_MEMORY_CAST(memory)->context == context);
}

}  // namespace element_test
