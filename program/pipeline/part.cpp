// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/pipeline/part.h"

#include <algorithm>
#include <string_view>

#include "gst/pointers.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

constexpr char kReady[] = "mosaic-temporal-part";       // a message's name
constexpr GstClockTime kLongestText = 60 * GST_SECOND;  // that may have begun before
constexpr char kHeld[] = "mosaic-temporal-held";        // data of a pad: its probe

/// The media type of what a pad sends; empty: unknown.
std::string_view type_of(GstPad* pad) {
  const Owned<GstCaps> caps(gst_pad_get_current_caps(pad));
  // The name is one of GLib's interned texts.
  return caps ? g_quark_to_string(gst_structure_get_name_id(gst_caps_get_structure(caps.get(), 0)))
              : "";
}

bool is_text(GstPad* pad) {
  const std::string_view type = type_of(pad);
  return !type.empty() && !type.starts_with("video/") && !type.starts_with("image/") &&
         !type.starts_with("audio/");
}

/// The start of a pad's segment; NONE: it has none.
GstClockTime start_of(GstPad* pad) {
  const Owned<GstEvent> event(gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0));
  const GstSegment* segment = nullptr;
  if (event) gst_event_parse_segment(event.get(), &segment);
  return segment && segment->format == GST_FORMAT_TIME ? segment->start : GST_CLOCK_TIME_NONE;
}

/// @return one of the pads of an element; null: it has none
Owned<GstPad> any_pad(GstElement* parser) {
  GstPad* found = nullptr;
  gst_element_foreach_src_pad(
      parser,
      [](GstElement*, GstPad* pad, gpointer data) -> gboolean {
        auto& chosen = *static_cast<GstPad**>(data);
        const bool video = type_of(pad).starts_with("video/");
        if (chosen && !video) return TRUE;
        gst_object_replace(reinterpret_cast<GstObject**>(&chosen), GST_OBJECT(pad));
        return !video;
      },
      &found);
  return Owned<GstPad>(found);
}

void release(GstElement* parser) {
  gst_element_foreach_src_pad(
      parser,
      [](GstElement*, GstPad* pad, gpointer) -> gboolean {
        // Each pad asks for it, but a probe can be removed only once.
        const gulong probe = GPOINTER_TO_SIZE(g_object_steal_data(G_OBJECT(pad), kHeld));
        if (probe) gst_pad_remove_probe(pad, probe);
        return TRUE;
      },
      nullptr);
}

}  // namespace

Part::Part(GstElement* pipeline, GstClockTime start) : pipeline_(pipeline), start_(start) {
  if (start_ == 0) return;
  const Owned<GstIterator> elements(
      gst_bin_iterate_all_by_element_factory_name(GST_BIN(pipeline), "parsebin"));
  gst_iterator_foreach(
      elements.get(),
      [](const GValue* value, gpointer data) {
        auto* parser = static_cast<GstElement*>(g_value_get_object(value));
        g_signal_connect(parser, "pad-added", G_CALLBACK(&Part::on_pad), data);
      },
      this);
}

Part::~Part() = default;

/// In a streaming thread, as the others below.
void Part::on_pad(GstElement*, GstPad* pad, gpointer data) {
  constexpr auto kEvents = static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM |
                                                        GST_PAD_PROBE_TYPE_EVENT_FLUSH);
  const gulong probe =
      gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, &Part::hold, data, nullptr);
  g_object_set_data(G_OBJECT(pad), kHeld, GSIZE_TO_POINTER(probe));
  gst_pad_add_probe(pad, kEvents, &Part::on_event, data, nullptr);
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, &Part::on_buffer, data, nullptr);
}

/// Holds back what is played. Events that describe the stream have to pass, because the parser
/// waits until they have.
GstPadProbeReturn Part::hold(GstPad* pad, GstPadProbeInfo* info, gpointer data) {
  const GstPadProbeType type = GST_PAD_PROBE_INFO_TYPE(info);
  if (type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) {
    const GstEventType event = GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info));
    if (event != GST_EVENT_EOS && event != GST_EVENT_GAP) return GST_PAD_PROBE_PASS;
  }
  // All pads are there by now. A seek has to come from another thread than the one that it stops.
  const Owned<GstElement> parser(gst_pad_get_parent_element(pad));
  if (parser)
    gst_element_post_message(
        static_cast<Part*>(data)->pipeline_,
        gst_message_new_application(GST_OBJECT(parser.get()), gst_structure_new_empty(kReady)));
  return GST_PAD_PROBE_OK;
}

void Part::read(GstMessage* message) {
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_APPLICATION && gst_message_has_name(message, kReady))
    seek(GST_ELEMENT(GST_MESSAGE_SRC(message)));
}

void Part::seek(GstElement* parser) {
  // Each of its pads asks for it. A second seek would show again what has passed since the first.
  const bool is_first = begun_.insert(GST_OBJECT(parser)).second;
  if (const Owned<GstPad> pad = is_first ? any_pad(parser) : Owned<GstPad>()) {
    // Of texts, those that began before are wanted, too.
    const GstClockTime from = is_text(pad.get()) ? start_ - std::min(start_, kLongestText) : start_;
    gst_pad_send_event(
        pad.get(),
        gst_event_new_seek(1, GST_FORMAT_TIME,
                           static_cast<GstSeekFlags>(GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE),
                           GST_SEEK_TYPE_SET, static_cast<gint64>(from), GST_SEEK_TYPE_NONE, -1));
  }
  release(parser);
}

/// Has segments begin at the time. What a seek sends to stop what is under way is left out, because
/// nothing is, and decoders could not be set up meanwhile.
GstPadProbeReturn Part::on_event(GstPad*, GstPadProbeInfo* info, gpointer data) {
  const GstClockTime start = static_cast<Part*>(data)->start_;
  GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
  if (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_EVENT_FLUSH) return GST_PAD_PROBE_DROP;
  if (GST_EVENT_TYPE(event) != GST_EVENT_SEGMENT) return GST_PAD_PROBE_OK;
  GstSegment segment;
  gst_event_copy_segment(event, &segment);
  if (segment.format != GST_FORMAT_TIME || segment.time >= start) return GST_PAD_PROBE_OK;
  const guint64 position = gst_segment_position_from_stream_time(&segment, GST_FORMAT_TIME, start);
  if (!GST_CLOCK_TIME_IS_VALID(position)) return GST_PAD_PROBE_OK;
  segment.start = segment.position = position;
  segment.time = start;
  GstEvent* made = gst_event_new_segment(&segment);
  gst_event_set_seqnum(made, gst_event_get_seqnum(event));
  gst_event_unref(event);
  GST_PAD_PROBE_INFO_DATA(info) = made;
  return GST_PAD_PROBE_OK;
}

/// Sound and texts that end before the time are left out, since no decoder may follow that does it.
/// A text that is still to be read then begins with the part.
GstPadProbeReturn Part::on_buffer(GstPad* pad, GstPadProbeInfo* info, gpointer) {
  GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
  const GstClockTime start = start_of(pad);
  const bool may_be_cut = is_text(pad) || type_of(pad).starts_with("audio/");
  if (!may_be_cut || !GST_CLOCK_TIME_IS_VALID(start) || !GST_BUFFER_PTS_IS_VALID(buffer) ||
      GST_BUFFER_PTS(buffer) >= start)
    return GST_PAD_PROBE_OK;
  const GstClockTime end = GST_BUFFER_PTS(buffer) +
                           (GST_BUFFER_DURATION_IS_VALID(buffer) ? GST_BUFFER_DURATION(buffer) : 0);
  if (end <= start) return GST_PAD_PROBE_DROP;
  if (!is_text(pad)) return GST_PAD_PROBE_OK;
  buffer = gst_buffer_make_writable(buffer);
  GST_BUFFER_PTS(buffer) = start;
  GST_BUFFER_DURATION(buffer) = end - start;
  GST_PAD_PROBE_INFO_DATA(info) = buffer;
  return GST_PAD_PROBE_OK;
}

}  // namespace mosaic_program
