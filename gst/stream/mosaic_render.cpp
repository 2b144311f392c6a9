// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/stream/mosaic_render.h"

#include <exception>
#include <mutex>

#include "executor/cancellation.h"
#include "gst/memory/caps.h"
#include "gst/memory/frame_allocation.h"
#include "gst/memory/frame_view.h"
#include "gst/memory/gpu.h"
#include "gst/memory/mapped_frame.h"
#include "gst/messages/errors.h"
#include "gst/messages/log.h"
#include "gst/pointers.h"
#include "gst/stream/render_settings.h"
#include "gst/stream/render_state.h"
#include "gst/stream/stream_caps.h"
#include "mosaic/base/error.h"

#define GST_CAT_DEFAULT mosaic_gst::log_category(mosaic_gst::LogPart::kFrames)

using mosaic::stream::StreamReader;
using mosaic_gst::Gpu;
using mosaic_gst::Owned;
using mosaic_gst::RenderSettings;
using mosaic_gst::RenderState;

namespace {

struct Instance {
  explicit Instance(GstElement* element) : gpu(element), state(gpu) {}

  Gpu gpu;
  RenderState state;
  std::mutex mutex;  ///< guards the settings
  RenderSettings settings;
  // Streaming thread:
  GstVideoCodecState* input = nullptr;
  unsigned negotiated = 0;  ///< RenderState::headers() for which the output was negotiated

  RenderSettings current() {
    const std::lock_guard lock(mutex);
    return settings;
  }
};

constexpr int kAnyGpu = -1;

}  // namespace

struct _GstMosaicRender {
  GstVideoDecoder parent;
  Instance* instance;
};

G_DEFINE_TYPE(GstMosaicRender, gst_mosaic_render, GST_TYPE_VIDEO_DECODER)
GST_ELEMENT_REGISTER_DEFINE(mosaicrender, "mosaicrender", GST_RANK_PRIMARY, GST_TYPE_MOSAIC_RENDER)

static Instance& instance_of(gpointer element) {
  return *GST_MOSAIC_RENDER(element)->instance;
}

static void gst_mosaic_render_init(GstMosaicRender* self) {
  self->instance = new Instance(GST_ELEMENT(self));
  gst_video_decoder_set_packetized(GST_VIDEO_DECODER(self), TRUE);
  gst_video_decoder_set_needs_format(GST_VIDEO_DECODER(self), TRUE);
}

static void gst_mosaic_render_finalize(GObject* object) {
  delete GST_MOSAIC_RENDER(object)->instance;
  G_OBJECT_CLASS(gst_mosaic_render_parent_class)->finalize(object);
}

static void gst_mosaic_render_set_property(GObject* object, guint id, const GValue* value,
                                           GParamSpec* spec) {
  Instance& instance = instance_of(object);
  const std::lock_guard lock(instance.mutex);
  if (!set_render_property(instance.settings, id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void gst_mosaic_render_get_property(GObject* object, guint id, GValue* value,
                                           GParamSpec* spec) {
  Instance& instance = instance_of(object);
  const std::lock_guard lock(instance.mutex);
  if (!get_render_property(instance.settings, id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void drop_input_state(Instance& instance) {
  if (instance.input) gst_video_codec_state_unref(instance.input);
  instance.input = nullptr;
}

static gboolean gst_mosaic_render_stop(GstVideoDecoder* decoder) {
  Instance& instance = instance_of(decoder);
  instance.state.stop();
  instance.gpu.drop_context();
  instance.negotiated = 0;
  drop_input_state(instance);
  return TRUE;
}

/// GstVideoDecoder takes only caps whose name begins with "video/" or "image/" as those of a video:
/// it gets the caps of the stream under such a name.
static gboolean gst_mosaic_render_sink_event(GstVideoDecoder* decoder, GstEvent* event) {
  GstVideoDecoderClass* parent = GST_VIDEO_DECODER_CLASS(gst_mosaic_render_parent_class);
  if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS) return parent->sink_event(decoder, event);
  const Owned<GstEvent> owned(event);
  GstCaps* caps = nullptr;
  gst_event_parse_caps(event, &caps);
  const Owned<GstCaps> renamed(gst_caps_copy(caps));
  gst_structure_set_name(gst_caps_get_structure(renamed.get(), 0), "video/x-mosaic");
  return parent->sink_event(decoder, gst_event_new_caps(renamed.get()));
}

/// GstVideoDecoder would ask upstream for the size that downstream wants, but any size can be
/// drawn.
static GstCaps* gst_mosaic_render_getcaps(GstVideoDecoder* decoder, GstCaps* filter) {
  const Owned<GstCaps> all(gst_pad_get_pad_template_caps(GST_VIDEO_DECODER_SINK_PAD(decoder)));
  if (!filter) return gst_caps_ref(all.get());
  return gst_caps_intersect_full(filter, all.get(), GST_CAPS_INTERSECT_FIRST);
}

static gboolean gst_mosaic_render_set_format(GstVideoDecoder* decoder, GstVideoCodecState* input) {
  Instance& instance = instance_of(decoder);
  drop_input_state(instance);
  instance.input = gst_video_codec_state_ref(input);
  instance.negotiated = 0;
  return TRUE;
}

static gboolean gst_mosaic_render_flush(GstVideoDecoder* decoder) {
  instance_of(decoder).state.flush();
  return TRUE;
}

// Nothing is held back.
static GstFlowReturn gst_mosaic_render_drain(GstVideoDecoder*) {
  return GST_FLOW_OK;
}

// Decoding and drawing may take seconds, which the end must not wait for.
static GstStateChangeReturn gst_mosaic_render_change_state(GstElement* element,
                                                           GstStateChange transition) {
  RenderState& state = instance_of(element).state;
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) state.cancel(false);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) state.cancel(true);
  return GST_ELEMENT_CLASS(gst_mosaic_render_parent_class)->change_state(element, transition);
}

static void gst_mosaic_render_set_context(GstElement* element, GstContext* context) {
  instance_of(element).gpu.set_context(context, kAnyGpu);
  GST_ELEMENT_CLASS(gst_mosaic_render_parent_class)->set_context(element, context);
}

static gboolean gst_mosaic_render_src_query(GstVideoDecoder* decoder, GstQuery* query) {
  if (GST_QUERY_TYPE(query) == GST_QUERY_CONTEXT &&
      instance_of(decoder).gpu.answer_context_query(query))
    return TRUE;
  return GST_VIDEO_DECODER_CLASS(gst_mosaic_render_parent_class)->src_query(decoder, query);
}

static gboolean gst_mosaic_render_decide_allocation(GstVideoDecoder* decoder, GstQuery* query) {
  Instance& instance = instance_of(decoder);
  GstVideoDecoderClass* parent = GST_VIDEO_DECODER_CLASS(gst_mosaic_render_parent_class);
  if (!instance.state.on_gpu()) return parent->decide_allocation(decoder, query);
  return mosaic_gst::try_or_post(GST_ELEMENT(decoder),
                                 [&] { mosaic_gst::decide_pool(instance.gpu, query); });
}

/// Sets the caps of the output. @param caps fixed
static void set_output(GstVideoDecoder* decoder, Instance& instance, GstCaps* caps) {
  GstVideoInfo info;
  gst_video_info_from_caps(&info, caps);
  GstVideoCodecState* output = gst_video_decoder_set_output_state(
      decoder, GST_VIDEO_INFO_FORMAT(&info), static_cast<guint>(info.width),
      static_cast<guint>(info.height), instance.input);
  const mosaic::stream::StreamHeader& header = instance.state.header();
  output->info.par_n = header.pixel.width;
  output->info.par_d = header.pixel.height;
  output->info.colorimetry = info.colorimetry;
  output->info.chroma_site = info.chroma_site;
  output->caps = gst_video_info_to_caps(&output->info);
  gst_caps_set_features(output->caps, 0, gst_caps_features_copy(gst_caps_get_features(caps, 0)));
  gst_video_codec_state_unref(output);
}

/// Chooses format and size of the pictures: what downstream asks for, else the size of the video.
static gboolean gst_mosaic_render_negotiate(GstVideoDecoder* decoder) {
  Instance& instance = instance_of(decoder);
  if (instance.state.headers() == 0) return FALSE;
  const mosaic::stream::StreamHeader& header = instance.state.header();
  Owned<GstCaps> allowed(gst_pad_get_allowed_caps(GST_VIDEO_DECODER_SRC_PAD(decoder)));
  if (!allowed) allowed.reset(gst_pad_get_pad_template_caps(GST_VIDEO_DECODER_SRC_PAD(decoder)));
  if (gst_caps_is_empty(allowed.get())) return FALSE;
  const Owned<GstCaps> size(gst_caps_new_simple("video/x-raw", "width", G_TYPE_INT, header.width,
                                                "height", G_TYPE_INT, header.height, nullptr));
  const Owned<GstCaps> caps(mosaic_gst::fixate_size(size.get(), allowed.release()));
  const bool on_gpu = mosaic_gst::is_gpu_caps(caps.get());
  const bool possible = mosaic_gst::try_or_post(GST_ELEMENT(decoder), [&] {
    if (on_gpu) instance.gpu.find_context(kAnyGpu);
    instance.state.set_memory(on_gpu);
  });
  if (!possible) return FALSE;
  set_output(decoder, instance, caps.get());
  return GST_VIDEO_DECODER_CLASS(gst_mosaic_render_parent_class)->negotiate(decoder);
}

/// Draws the newest frame into a buffer of the output.
static void draw_into(Instance& instance, const GstVideoInfo& info, GstBuffer* buffer,
                      const RenderSettings& settings) {
  const int flags = GST_MAP_WRITE | (instance.state.on_gpu() ? Gpu::map_flag() : 0);
  mosaic_gst::MappedFrame mapped(info, buffer, flags);
  instance.state.draw(settings, buffer, mosaic_gst::frame_view(*mapped));
}

/// Draws the newest frame, and sends it.
static GstFlowReturn draw(GstVideoDecoder* decoder, GstVideoCodecFrame* frame,
                          const RenderSettings& settings) {
  Instance& instance = instance_of(decoder);
  // If downstream wants another size, the base class negotiates before it allocates a buffer.
  const GstFlowReturn allocated = gst_video_decoder_allocate_output_frame(decoder, frame);
  if (allocated != GST_FLOW_OK || !instance.state.has_frame()) {
    gst_video_decoder_release_frame(decoder, frame);
    return allocated;
  }
  GstVideoCodecState* output = gst_video_decoder_get_output_state(decoder);
  const GstVideoInfo info = output->info;
  gst_video_codec_state_unref(output);
  try {
    draw_into(instance, info, frame->output_buffer, settings);
  } catch (...) {
    gst_video_decoder_release_frame(decoder, frame);
    throw;
  }
  return gst_video_decoder_finish_frame(decoder, frame);
}

/// Whether a frame lies before the part of the stream that is played: after a seek, frames from a
/// keyframe on.
static bool is_before_segment(GstVideoDecoder* decoder, const GstVideoCodecFrame* frame) {
  const GstSegment& segment = decoder->input_segment;
  if (segment.format != GST_FORMAT_TIME || segment.rate < 0 || !GST_CLOCK_TIME_IS_VALID(frame->pts))
    return false;
  const mosaic::stream::StreamHeader& header = instance_of(decoder).state.header();
  GstClockTime end = frame->pts;
  if (header.fps_n > 0) end += gst_util_uint64_scale(GST_SECOND, header.fps_d, header.fps_n);
  return end <= segment.start;
}

static void animate(GstVideoDecoder* decoder, const GstVideoCodecFrame* frame) {
  const guint64 time =
      gst_segment_to_stream_time(&decoder->input_segment, GST_FORMAT_TIME, frame->pts);
  if (GST_CLOCK_TIME_IS_VALID(time)) gst_object_sync_values(GST_OBJECT(decoder), time);
}

/// Reads a frame's packet.
static StreamReader::Result read_packet(GstVideoDecoder* decoder, GstVideoCodecFrame* frame) {
  GstMapInfo map;
  if (!gst_buffer_map(frame->input_buffer, &map, GST_MAP_READ)) throw std::bad_alloc();
  try {
    const auto result = instance_of(decoder).state.read({map.data, map.size});
    gst_buffer_unmap(frame->input_buffer, &map);
    return result;
  } catch (...) {
    gst_buffer_unmap(frame->input_buffer, &map);
    throw;
  }
}

/// Reads a frame's packet, and takes up its frame. A damaged one is left out.
/// @return whether there is a picture to show for it
static bool take_packet(GstVideoDecoder* decoder, GstVideoCodecFrame* frame,
                        const RenderSettings& settings, GstFlowReturn& flow) {
  Instance& instance = instance_of(decoder);
  StreamReader::Result result = StreamReader::Result::kWaiting;
  try {
    result = read_packet(decoder, frame);
  } catch (const mosaic::Error& error) {
    GST_WARNING_OBJECT(decoder, "%s; the last picture stays", error.what());
  }
  if (result == StreamReader::Result::kFrame) {
    if (instance.negotiated != instance.state.headers()) {
      if (!gst_video_decoder_negotiate(decoder)) {
        const bool flushing = GST_PAD_IS_FLUSHING(GST_VIDEO_DECODER_SRC_PAD(decoder));
        flow = flushing ? GST_FLOW_FLUSHING : GST_FLOW_NOT_NEGOTIATED;
        return false;
      }
      instance.negotiated = instance.state.headers();
    }
    instance.state.update(settings);
  }
  return result != StreamReader::Result::kIndex && instance.state.has_frame();
}

static GstFlowReturn gst_mosaic_render_handle_frame(GstVideoDecoder* decoder,
                                                    GstVideoCodecFrame* frame) {
  animate(decoder, frame);
  const RenderSettings settings = instance_of(decoder).current();
  bool drawing = false;
  try {
    GstFlowReturn flow = GST_FLOW_OK;
    if (!take_packet(decoder, frame, settings, flow) || is_before_segment(decoder, frame)) {
      gst_video_decoder_release_frame(decoder, frame);
      return flow;
    }
    if (gst_video_decoder_get_max_decode_time(decoder, frame) < 0)
      return gst_video_decoder_drop_frame(decoder, frame);
    drawing = true;
    return draw(decoder, frame, settings);
  } catch (const mt::Cancelled&) {
    if (!drawing) gst_video_decoder_release_frame(decoder, frame);
    return GST_FLOW_FLUSHING;
  } catch (const std::exception&) {
    if (!drawing) gst_video_decoder_release_frame(decoder, frame);
    mosaic_gst::post_current_exception(GST_ELEMENT(decoder));
    return GST_FLOW_ERROR;
  }
}

static void gst_mosaic_render_class_init(GstMosaicRenderClass* klass) {
  GObjectClass* object_class = G_OBJECT_CLASS(klass);
  object_class->finalize = gst_mosaic_render_finalize;
  object_class->set_property = gst_mosaic_render_set_property;
  object_class->get_property = gst_mosaic_render_get_property;
  mosaic_gst::install_render_properties(object_class);
  GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
  element_class->change_state = gst_mosaic_render_change_state;
  element_class->set_context = gst_mosaic_render_set_context;
  gst_element_class_set_static_metadata(element_class, "Mosaic renderer", "Codec/Decoder/Video",
                                        "Draws a mosaic from a stream of indices",
                                        "The mosaictemporal authors");
  const Owned<GstCaps> in(gst_caps_from_string(mosaic_gst::kStreamCaps));
  const Owned<GstCaps> out(mosaic_gst::make_opaque_caps());
  gst_element_class_add_pad_template(
      element_class, gst_pad_template_new("sink", GST_PAD_SINK, GST_PAD_ALWAYS, in.get()));
  gst_element_class_add_pad_template(
      element_class, gst_pad_template_new("src", GST_PAD_SRC, GST_PAD_ALWAYS, out.get()));
  GstVideoDecoderClass* decoder_class = GST_VIDEO_DECODER_CLASS(klass);
  decoder_class->stop = gst_mosaic_render_stop;
  decoder_class->sink_event = gst_mosaic_render_sink_event;
  decoder_class->getcaps = gst_mosaic_render_getcaps;
  decoder_class->set_format = gst_mosaic_render_set_format;
  decoder_class->src_query = gst_mosaic_render_src_query;
  decoder_class->decide_allocation = gst_mosaic_render_decide_allocation;
  decoder_class->flush = gst_mosaic_render_flush;
  decoder_class->drain = gst_mosaic_render_drain;
  decoder_class->finish = gst_mosaic_render_drain;
  decoder_class->negotiate = gst_mosaic_render_negotiate;
  decoder_class->handle_frame = gst_mosaic_render_handle_frame;
}
