// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The CUDA context that the pipeline uses: where it comes from, which elements get it, and that
/// all release it.
#include "tests/gst/cuda_frames.h"
#include "tests/sampling.h"

namespace {

using namespace element_test;

GstVideoInfo info_of_frames() {
  return video_info("NV12", 64, 48);
}

Buffer frame_of(Cuda& cuda, int number = 0) {
  return cuda.upload(info_of_frames(), make_frame(info_of_frames(), number));
}

std::uint64_t live_contexts() {
  EmulatedGpuCounts counts;
  emulated_gpu_counts(&counts);
  return counts.contexts;
}

/// The context that the element answers a query of its neighbour with; null: no answer.
/// @param neighbour the neighbour's pad
GstCudaContext* context_for(GstPad* neighbour) {
  GstQuery* query = gst_query_new_context(GST_CUDA_CONTEXT_TYPE);
  GstCudaContext* found = nullptr;
  if (gst_pad_peer_query(neighbour, query)) {
    GstContext* context = nullptr;
    gst_query_parse_context(query, &context);
    gst_structure_get(gst_context_get_structure(context), GST_CUDA_CONTEXT_TYPE,
                      GST_TYPE_CUDA_CONTEXT, &found, nullptr);
    if (found) gst_object_unref(found);  // the element still holds a reference
  }
  gst_query_unref(query);
  return found;
}

TEST(Context, IsUsedAndSharedIfSet) {
  Cuda cuda;
  Element element;
  cuda.give_to(element.get());
  ASSERT_TRUE(element.set_caps(cuda_caps("NV12", 64, 48)));
  EXPECT_EQ(context_for(element.harness()->srcpad), cuda.get());
  EXPECT_EQ(context_for(element.harness()->sinkpad), cuda.get());
}

TEST(Context, IsRejectedIfOfAnotherDevice) {
  Cuda cuda;
  Element element;
  element.set("cuda-device-id", 1);
  cuda.give_to(element.get());
  EXPECT_EQ(context_for(element.harness()->srcpad), nullptr);
}

TEST(Context, IsCreatedIfThereIsNone) {
  Element element;
  ASSERT_TRUE(element.set_caps(cuda_caps("NV12", 64, 48)));
  EXPECT_NE(context_for(element.harness()->srcpad), nullptr);
}

TEST(Context, IsNotCreatedForSystemMemory) {
  const std::uint64_t contexts = live_contexts();
  emulated_gpu_reset_calls();
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("NV12", 64, 48)));
  ASSERT_TRUE(element.process(make_frame(info_of_frames())));
  EXPECT_EQ(context_for(element.harness()->srcpad), nullptr);
  EXPECT_EQ(live_contexts(), contexts);
  EXPECT_EQ(emulated_gpu_calls(nullptr), 0U) << "calls of the driver";
}

TEST(Context, IsAdoptedFromTheFrames) {
  Cuda first, second;
  Element element;
  element.set("silent", FALSE);
  first.give_to(element.get());
  element.set_sink_caps("video/x-raw(memory:CUDAMemory),width=128,height=96");
  ASSERT_TRUE(element.set_caps(cuda_caps("NV12", 64, 48)));
  for (Cuda* cuda : {&first, &second, &first}) {
    for (int frame = 0; frame < 2; ++frame) {
      const Buffer out = element.process(frame_of(*cuda, frame));
      ASSERT_TRUE(out);
      EXPECT_TRUE(in_cuda_memory(out, cuda->get()));
      EXPECT_EQ(context_for(element.harness()->sinkpad), cuda->get());
    }
  }
  EXPECT_EQ(element.pop_report(GST_MESSAGE_ERROR).text, "");
}

TEST(Context, IsAdoptedFromTheFramesInPlace) {
  Cuda first, second;
  Element element;
  first.give_to(element.get());
  ASSERT_TRUE(element.set_caps(cuda_caps("NV12", 64, 48)));
  for (Cuda* cuda : {&first, &second}) {
    const Buffer kept = frame_of(*cuda);
    const Buffer held_out = element.process(Buffer(gst_buffer_ref(kept.get())));
    const Buffer out = element.process(frame_of(*cuda));
    ASSERT_TRUE(held_out && out);
    EXPECT_TRUE(in_cuda_memory(held_out, cuda->get()));
    EXPECT_TRUE(in_cuda_memory(out, cuda->get()));
  }
}

/// How often the element is started or renegotiated; a multiple of 12.
int rounds() {
  return 96 / static_cast<int>(sampling::step(4));
}

TEST(Context, IsReleasedInManyStartsAndStops) {
  Cuda cuda;
  Element element;
  const guint alone = cuda.references();
  guint after_first = 0;
  std::uint64_t contexts = 0;
  std::map<std::string, std::uint64_t> held;
  for (int round = 0; round < rounds(); ++round) {
    gst_element_set_state(element.get(), GST_STATE_READY);
    gst_element_set_state(element.get(), GST_STATE_PLAYING);
    cuda.give_to(element.get());
    element.set_sink_caps(round % 2 ? "video/x-raw(memory:CUDAMemory),width=128,height=96" : "ANY");
    gst_harness_push_event(element.harness(), gst_event_new_stream_start("again"));
    ASSERT_TRUE(element.set_caps(cuda_caps("NV12", 64, 48)));
    {
      const Buffer kept = frame_of(cuda);
      ASSERT_TRUE(element.process(Buffer(gst_buffer_ref(kept.get())))) << round;
    }
    gst_element_set_state(element.get(), GST_STATE_NULL);
    if (round == 0) {
      after_first = cuda.references();
      held = held_by_driver();
      contexts = live_contexts();
    }
  }
  EXPECT_EQ(cuda.references(), after_first);
  EXPECT_LE(after_first, alone + 1) << "more than the GstContext that every element keeps";
  EXPECT_EQ(live_contexts(), contexts);
  EXPECT_EQ(held_by_driver(), held);
}

TEST(Context, IsReleasedInManyRenegotiations) {
  Cuda cuda;
  Element element;
  cuda.give_to(element.get());
  guint early = 0;
  for (int round = 0; round < rounds(); ++round) {
    const int width = round % 2 ? 64 : 80;
    const char* format = round % 4 < 2 ? "NV12" : "RGBA";
    const GstVideoInfo info = video_info(format, width, 48);
    element.set_sink_caps(round % 3 ? "ANY" : "video/x-raw(memory:CUDAMemory),width=128,height=96");
    ASSERT_TRUE(element.set_caps(cuda_caps(format, width, 48)));
    const Buffer kept = cuda.upload(info, make_frame(info));
    ASSERT_TRUE(element.process(Buffer(gst_buffer_ref(kept.get())))) << round;
    if (round % 12 != 11) continue;
    if (!early) early = cuda.references();
    EXPECT_EQ(cuda.references(), early) << round;
  }
}

/// The pool that the element offers upstream, or null.
GstBufferPool* offered_pool(Element& element, const Caps& caps) {
  GstQuery* query = gst_query_new_allocation(caps.get(), TRUE);
  GstBufferPool* pool = nullptr;
  if (gst_pad_peer_query(element.harness()->srcpad, query) &&
      gst_query_get_n_allocation_pools(query) > 0)
    gst_query_parse_nth_allocation_pool(query, 0, &pool, nullptr, nullptr, nullptr);
  EXPECT_TRUE(gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr));
  gst_query_unref(query);
  return pool;
}

TEST(Pool, OfferedUpstreamHasTheMemoryOfTheCaps) {
  Cuda cuda;
  Element element;
  cuda.give_to(element.get());
  element.set_sink_caps("video/x-raw(memory:CUDAMemory),width=128,height=96");
  const Caps caps = cuda_caps("I420", 64, 48);
  ASSERT_TRUE(element.set_caps(caps));
  GstBufferPool* pool = offered_pool(element, caps);
  ASSERT_TRUE(GST_IS_CUDA_BUFFER_POOL(pool));
  EXPECT_EQ(GST_CUDA_BUFFER_POOL(pool)->context, cuda.get());
  GstStructure* config = gst_buffer_pool_get_config(pool);
  guint size = 0;
  gst_buffer_pool_config_get_params(config, nullptr, &size, nullptr, nullptr);
  gst_structure_free(config);
  EXPECT_TRUE(gst_buffer_pool_set_active(pool, TRUE));
  GstBuffer* buffer = nullptr;
  ASSERT_EQ(gst_buffer_pool_acquire_buffer(pool, &buffer, nullptr), GST_FLOW_OK);
  EXPECT_EQ(gst_buffer_get_size(buffer), size);
  gst_buffer_unref(buffer);
  gst_buffer_pool_set_active(pool, FALSE);
  gst_object_unref(pool);
}

TEST(Pool, OfferedUpstreamForSystemMemoryIsAVideoPool) {
  Element element;
  element.set_sink_caps("video/x-raw,width=128,height=96");
  const Caps caps = video_caps("I420", 64, 48);
  ASSERT_TRUE(element.set_caps(caps));
  GstBufferPool* pool = offered_pool(element, caps);
  ASSERT_TRUE(GST_IS_VIDEO_BUFFER_POOL(pool));
  gst_object_unref(pool);
}

/// Answers an allocation query, as downstream, by offering a pool.
GstPadProbeReturn answer_allocation(GstPad*, GstPadProbeInfo* info, gpointer pool) {
  GstQuery* query = GST_PAD_PROBE_INFO_QUERY(info);
  if (GST_QUERY_TYPE(query) != GST_QUERY_ALLOCATION) return GST_PAD_PROBE_OK;
  gst_query_add_allocation_pool(query, GST_BUFFER_POOL(pool), 128 * 96 * 2, 2, 0);
  return GST_PAD_PROBE_HANDLED;
}

TEST(Pool, OfDownstreamIsUsedIfItHasTheSameContext) {
  Cuda ours, theirs;
  for (Cuda* cuda : {&ours, &theirs}) {
    Element element;
    ours.give_to(element.get());
    GstBufferPool* pool = gst_cuda_buffer_pool_new(cuda->get());
    gst_pad_add_probe(element.harness()->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
                      answer_allocation, pool, nullptr);
    element.set_sink_caps("video/x-raw(memory:CUDAMemory),width=128,height=96");
    ASSERT_TRUE(element.set_caps(cuda_caps("NV12", 64, 48)));
    const Buffer out = element.process(frame_of(ours));
    ASSERT_TRUE(out);
    EXPECT_TRUE(in_cuda_memory(out, ours.get()));
    EXPECT_EQ(out->pool == pool, cuda == &ours);
    gst_object_unref(pool);
  }
}

}  // namespace
