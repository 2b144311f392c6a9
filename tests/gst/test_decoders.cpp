// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/gst/test_decoders.h"

namespace element_test {
namespace {

struct TestDecoder {
  GstElement parent;
  GstPad* source;
  gboolean started;
  int number;
};
struct TestDecoderClass {
  GstElementClass parent;
  gboolean hardware;
};

GType test_decoder_type(bool hardware);

DecoderOutput& output_of(bool hardware) {
  static DecoderOutput outputs[2];
  return outputs[hardware];
}

TestDecoder* decoder_of(gpointer object) {
  return reinterpret_cast<TestDecoder*>(object);
}

const DecoderOutput& output_of(TestDecoder* decoder) {
  return output_of(G_TYPE_FROM_INSTANCE(decoder) == test_decoder_type(true));
}

GstFlowReturn chain(GstPad*, GstObject* parent, GstBuffer* buffer) {
  gst_buffer_unref(buffer);
  TestDecoder* decoder = decoder_of(parent);
  const DecoderOutput& output = output_of(decoder);
  const Caps caps = output.caps();
  if (!decoder->started) {
    decoder->started = TRUE;
    gst_pad_push_event(decoder->source, gst_event_new_caps(caps.get()));
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    gst_pad_push_event(decoder->source, gst_event_new_segment(&segment));
  }
  GstVideoInfo info;
  gst_video_info_from_caps(&info, caps.get());
  return gst_pad_push(decoder->source, output.frame(info, decoder->number++).release());
}

gboolean handle_event(GstPad* pad, GstObject* parent, GstEvent* event) {
  // The decoder pushes its own caps and segment with the first frame.
  if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS || GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT) {
    gst_event_unref(event);
    return TRUE;
  }
  return gst_pad_event_default(pad, parent, event);
}

void init(GTypeInstance* instance, gpointer) {
  TestDecoder* decoder = decoder_of(instance);
  GstPad* sink = gst_pad_new("sink", GST_PAD_SINK);
  gst_pad_set_chain_function(sink, chain);
  gst_pad_set_event_function(sink, handle_event);
  gst_element_add_pad(GST_ELEMENT(decoder), sink);
  decoder->source = gst_pad_new("src", GST_PAD_SRC);
  gst_element_add_pad(GST_ELEMENT(decoder), decoder->source);
}

void class_init(gpointer klass, gpointer hardware) {
  gst_element_class_set_static_metadata(
      GST_ELEMENT_CLASS(klass), "Test decoder",
      hardware ? "Codec/Decoder/Video/Hardware" : "Codec/Decoder/Video", "Decodes nothing",
      "The mosaictemporal authors");
}

GType make_type(const char* name, bool hardware) {
  GTypeInfo info{};
  info.class_size = sizeof(TestDecoderClass);
  info.class_init = class_init;
  info.class_data = GINT_TO_POINTER(hardware);
  info.instance_size = sizeof(TestDecoder);
  info.instance_init = init;
  return g_type_register_static(GST_TYPE_ELEMENT, name, &info, static_cast<GTypeFlags>(0));
}

GType test_decoder_type(bool hardware) {
  static const GType types[] = {make_type("TestDecoder", false),
                                make_type("TestHardwareDecoder", true)};
  return types[hardware];
}

std::string text_or_null(const gchar* text) {
  return text ? text : "(null)";
}

}  // namespace

void register_decoders(const DecoderOutput& hardware) {
  output_of(false) = {
      [] { return video_caps("NV12", 160, 120); },
      [](const GstVideoInfo& info, int number) { return make_frame(info, number); }};
  output_of(true) = hardware;
  gst_element_register(nullptr, "testdecoder", GST_RANK_NONE, test_decoder_type(false));
  gst_element_register(nullptr, "testhwdecoder", GST_RANK_NONE, test_decoder_type(true));
}

DecodedRun run_decoded(const std::string& description) {
  DecodedRun run;
  GError* error = nullptr;
  const ElementPtr pipeline(gst_parse_launch(description.c_str(), &error));
  if (error) {
    run.error = error->message;
    g_error_free(error);
    return run;
  }
  GstElement* element = gst_bin_get_by_name(GST_BIN(pipeline.get()), "m");
  GstBus* bus = gst_element_get_bus(pipeline.get());
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  const Message message(gst_bus_timed_pop_filtered(
      bus, 60 * GST_SECOND, static_cast<GstMessageType>(GST_MESSAGE_ERROR | GST_MESSAGE_EOS)));
  if (!message) {
    run.error = "no end after 60 s";
  } else if (GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_ERROR) {
    gst_message_parse_error(message.get(), &error, nullptr);
    run.error = error->message;
    run.domain = error->domain;
    run.code = error->code;
    g_error_free(error);
  }
  gchar* codec = nullptr;
  GstStructure* stats = nullptr;
  g_object_get(element, "active-codec", &codec, "stats", &stats, nullptr);
  run.codec = text_or_null(codec);
  run.stats_codec = text_or_null(gst_structure_get_string(stats, "active-codec"));
  gst_structure_get_uint64(stats, "frames", &run.frames);
  g_free(codec);
  gst_structure_free(stats);
  gst_object_unref(element);
  gst_element_set_state(pipeline.get(), GST_STATE_NULL);
  gst_object_unref(bus);
  return run;
}

void expect_decoded_by(const DecodedRun& run, const std::string& codec) {
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.codec, codec);
  EXPECT_EQ(run.stats_codec, codec);
}

void expect_refused(const DecodedRun& run, const std::string& why) {
  EXPECT_NE(run.error.find("require-hardware"), std::string::npos) << run.error;
  EXPECT_NE(run.error.find(why), std::string::npos) << run.error;
  EXPECT_EQ(run.domain, GST_STREAM_ERROR);
  EXPECT_EQ(run.code, GST_STREAM_ERROR_WRONG_TYPE);
  EXPECT_EQ(run.frames, 0U);
}

}  // namespace element_test
