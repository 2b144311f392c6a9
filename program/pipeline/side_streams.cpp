// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/pipeline/side_streams.h"

#include <gst/base/gstaggregator.h>
#include <gst/base/gstcollectpads.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace mosaic_program {
namespace {

constexpr std::size_t kLongest = 65535;      // MPEG-4 has 16 bits for the length
constexpr GstClockTime kStep = GST_SECOND;   // between empty texts
constexpr gulong kPause = 10'000;            // microseconds between looks into the muxer
constexpr GstClockTime kMostEmpty = 10'000;  // in a row; wrong times may be centuries apart

const GstSegment* segment_of(GstPad* pad, GstEvent** event) {
  const GstSegment* segment = nullptr;
  *event = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0);
  if (*event) gst_event_parse_segment(*event, &segment);
  return segment && segment->format == GST_FORMAT_TIME ? segment : nullptr;
}

/// When what arrives at a pad with a time stamp is played; NONE: unknown.
GstClockTime running_time(GstPad* pad, GstClockTime stamp) {
  GstEvent* event = nullptr;
  const GstSegment* segment = segment_of(pad, &event);
  const GstClockTime time =
      segment ? gst_segment_to_running_time(segment, GST_FORMAT_TIME, stamp) : GST_CLOCK_TIME_NONE;
  gst_clear_event(&event);
  return time;
}

GstClockTime segment_start(GstPad* pad) {
  GstEvent* event = nullptr;
  const GstSegment* segment = segment_of(pad, &event);
  const GstClockTime start = segment ? segment->start : 0;
  gst_clear_event(&event);
  return start;
}

/// Where the segment ends, or else what is known of its duration; 0 if neither is known.
GstClockTime segment_end(GstPad* pad) {
  GstEvent* event = nullptr;
  const GstSegment* segment = segment_of(pad, &event);
  GstClockTime end = 0;
  if (segment && GST_CLOCK_TIME_IS_VALID(segment->stop))
    end = segment->stop;
  else if (segment && GST_CLOCK_TIME_IS_VALID(segment->duration))
    end = segment->start + segment->duration;
  gst_clear_event(&event);
  return end;
}

bool is_markup(GstPad* pad) {
  GstCaps* caps = gst_pad_get_current_caps(pad);
  const bool markup =
      caps && g_strcmp0(gst_structure_get_string(gst_caps_get_structure(caps, 0), "format"),
                        "pango-markup") == 0;
  gst_clear_caps(&caps);
  return markup;
}

/// Characters for what g_markup_escape_text() makes of them.
std::string unescaped(std::string text) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
      {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}}};
  for (std::size_t i = text.find('&'); i != text.npos; i = text.find('&', i + 1))
    for (const auto& [entity, character] : kEntities)
      if (text.compare(i, entity.size(), entity) == 0) {
        text.replace(i, entity.size(), 1, character);
        break;
      }
  return text;
}

/// Without the tags of Pango and of SubRip.
std::string without_tags(const std::string& text) {
  static GRegex* const tag =
      g_regex_new("</?(b|big|font|i|s|small|span|sub|sup|tt|u)( [^<>]*)?>",
                  static_cast<GRegexCompileFlags>(G_REGEX_CASELESS | G_REGEX_OPTIMIZE),
                  static_cast<GRegexMatchFlags>(0), nullptr);
  gchar* plain = g_regex_replace_literal(tag, text.c_str(), -1, 0, "",
                                         static_cast<GRegexMatchFlags>(0), nullptr);
  std::string result = plain ? plain : text;  // null: it is not UTF-8
  g_free(plain);
  return result;
}

std::string text_of(GstBuffer* buffer) {
  std::string text(gst_buffer_get_size(buffer), '\0');
  gst_buffer_extract(buffer, 0, text.data(), text.size());
  text.resize(std::strlen(text.c_str()));  // some end with a null character
  return text;
}

GstBuffer* new_buffer(std::string text, GstClockTime start, GstClockTime duration) {
  if (text.size() > kLongest) {
    std::size_t size = kLongest;
    while (size > 0 && (text[size] & 0xC0) == 0x80) --size;  // in whole characters
    text.resize(size);
  }
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, text.size(), nullptr);
  gst_buffer_fill(buffer, 0, text.data(), text.size());
  GST_BUFFER_PTS(buffer) = start;
  GST_BUFFER_DURATION(buffer) = duration;
  return buffer;
}

// Muxers are made of one of two base classes, GstAggregator and GstCollectPads.

/// What a muxer with GstCollectPads knows of a pad; null: it is not made of that.
GstCollectData* collect_data(GstPad* pad) {
  return GST_IS_AGGREGATOR_PAD(pad)
             ? nullptr
             : static_cast<GstCollectData*>(gst_pad_get_element_private(pad));
}

/// Whether a muxer has a buffer of this pad that it has not used yet.
bool is_full(GstPad* pad) {
  if (GST_IS_AGGREGATOR_PAD(pad)) return gst_aggregator_pad_has_buffer(GST_AGGREGATOR_PAD(pad));
  GstCollectData* held = collect_data(pad);
  if (!held) return false;
  GST_COLLECT_PADS_STREAM_LOCK(held->collect);
  GstBuffer* next = gst_collect_pads_peek(held->collect, held);
  const bool full = next;
  gst_clear_buffer(&next);
  GST_COLLECT_PADS_STREAM_UNLOCK(held->collect);
  return full;
}

/// A muxer takes the next subtitle in advance, which may come minutes after the end. Takes it away
/// again, and has the muxer wait for those that come before the end.
void take_back(GstPad* pad, GstClockTime end) {
  if (GST_IS_AGGREGATOR_PAD(pad)) {
    GstBuffer* next = gst_aggregator_pad_peek_buffer(GST_AGGREGATOR_PAD(pad));
    const bool is_later = next && GST_BUFFER_PTS(next) >= end;  // running time
    gst_clear_buffer(&next);
    if (!is_later) return;
    // Not only that one: another waits behind it.
    gst_pad_send_event(pad, gst_event_new_flush_start());
    gst_pad_send_event(pad, gst_event_new_flush_stop(TRUE));
    gst_pad_send_event(pad, gst_event_new_eos());
  } else if (GstCollectData* held = collect_data(pad)) {
    // GstCollectPads would pass a flush on to the file, and lose what is in it.
    GST_COLLECT_PADS_STREAM_LOCK(held->collect);
    GstBuffer* next = gst_collect_pads_peek(held->collect, held);
    if (next && GST_BUFFER_PTS_IS_VALID(next) && GST_BUFFER_PTS(next) >= end)  // running time
      gst_buffer_unref(gst_collect_pads_pop(held->collect, held));
    gst_clear_buffer(&next);
    gst_collect_pads_set_waiting(held->collect, held, TRUE);
    GST_COLLECT_PADS_STREAM_UNLOCK(held->collect);
  }
}

}  // namespace

SideStreams::SideStreams(GstElement* pipeline, GstClockTime limit)
    : limit_(limit), muxer_(gst_bin_get_by_name(GST_BIN(pipeline), "out")) {
  for (GList* l = muxer_ ? muxer_->sinkpads : nullptr; l; l = l->next) {
    GstPad* pad = GST_PAD(l->data);
    if (g_str_has_prefix(GST_PAD_NAME(pad), "video_")) {
      gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, &SideStreams::on_video, this, nullptr);
      gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, &SideStreams::on_video_event,
                        this, nullptr);
    } else {
      if (g_str_has_prefix(GST_PAD_NAME(pad), "subtitle_")) add_text(pad);
      gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, &SideStreams::on_side, this, nullptr);
    }
  }
}

SideStreams::~SideStreams() {
  for (Text& text : texts_) gst_clear_buffer(&text.held);
  gst_clear_object(&muxer_);
}

void SideStreams::add_text(GstPad* muxer_pad) {
  const gchar* muxer = GST_OBJECT_NAME(gst_element_get_factory(muxer_));
  Text& text = texts_.emplace_back(Text{
      .all = this, .muxer_pad = muxer_pad, .one_at_a_time = g_strcmp0(muxer, "matroskamux") != 0});
  gst_pad_add_probe(muxer_pad, GST_PAD_PROBE_TYPE_BUFFER, &SideStreams::on_muxer_text, this,
                    nullptr);
  // Before the capssetter, behind which markup is called plain text.
  GstPad* source = gst_pad_get_peer(muxer_pad);
  GstElement* setter = gst_pad_get_parent_element(source);
  GstPad* pad = gst_element_get_static_pad(setter, "sink");
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, &SideStreams::on_text, &text, nullptr);
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, &SideStreams::on_text_event, &text,
                    nullptr);
  gst_object_unref(pad);
  gst_object_unref(setter);
  gst_object_unref(source);
}

/// A text waits here until the muxer has used the one before it, and not in the muxer, from which
/// only the next text can be taken back: GstAggregator keeps as many as the pipeline's latency
/// holds.
GstPadProbeReturn SideStreams::on_muxer_text(GstPad* pad, GstPadProbeInfo*, gpointer data) {
  const auto& self = *static_cast<SideStreams*>(data);
  while (self.end_ == GST_CLOCK_TIME_NONE && is_full(pad) && !GST_PAD_IS_FLUSHING(pad))
    g_usleep(kPause);
  return GST_PAD_PROBE_OK;
}

GstPadProbeReturn SideStreams::on_side(GstPad* pad, GstPadProbeInfo* info, gpointer data) {
  const GstClockTime end = static_cast<SideStreams*>(data)->end_;
  const GstClockTime time = running_time(pad, GST_BUFFER_PTS(GST_PAD_PROBE_INFO_BUFFER(info)));
  return GST_CLOCK_TIME_IS_VALID(time) && time >= end ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

/// Ends a stream of texts at the end of the video.
/// @param stamp of what arrives at the pad
/// @return whether it has ended
bool SideStreams::end_text(GstPad* pad, const Text& text, GstClockTime stamp) {
  const GstClockTime time = running_time(pad, stamp);
  if (!GST_CLOCK_TIME_IS_VALID(time) || time < text.all->end_) return false;
  gst_pad_send_event(pad, gst_event_new_eos());
  return true;
}

GstPadProbeReturn SideStreams::on_text(GstPad* pad, GstPadProbeInfo* info, gpointer data) {
  auto& text = *static_cast<Text*>(data);
  if (text.sending) return GST_PAD_PROBE_OK;
  GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
  if (!GST_BUFFER_PTS_IS_VALID(buffer)) return GST_PAD_PROBE_DROP;
  if (end_text(pad, text, GST_BUFFER_PTS(buffer))) {
    GST_PAD_PROBE_INFO_FLOW_RETURN(info) = GST_FLOW_EOS;
    gst_buffer_unref(buffer);
    return GST_PAD_PROBE_HANDLED;
  }
  std::string plain = text_of(buffer);
  if (is_markup(pad)) plain = unescaped(plain);
  if (text.one_at_a_time) plain = without_tags(plain);
  const GstClockTime time = running_time(pad, GST_BUFFER_PTS(buffer));
  GstClockTime duration = GST_BUFFER_DURATION(buffer);
  if (GST_CLOCK_TIME_IS_VALID(time) && GST_CLOCK_TIME_IS_VALID(text.all->limit_) &&
      time < text.all->limit_)
    duration = std::min(duration, text.all->limit_ - time);
  GstBuffer* made = new_buffer(plain, GST_BUFFER_PTS(buffer), duration);
  GST_PAD_PROBE_INFO_FLOW_RETURN(info) =
      text.one_at_a_time ? hold(pad, text, made) : send(pad, text, made);
  gst_buffer_unref(buffer);
  return GST_PAD_PROBE_HANDLED;
}

GstFlowReturn SideStreams::send(GstPad* pad, Text& text, GstBuffer* buffer) {
  text.sending = true;
  const GstFlowReturn flow = gst_pad_chain(pad, buffer);
  text.sending = false;
  return flow;
}

/// @param next where the next begins; NONE: there is none
GstFlowReturn SideStreams::send_held(GstPad* pad, Text& text, GstClockTime next) {
  GstFlowReturn flow = GST_FLOW_OK;
  if (GstBuffer* buffer = std::exchange(text.held, nullptr)) {
    const GstClockTime start = GST_BUFFER_PTS(buffer);
    if (GST_CLOCK_TIME_IS_VALID(next))
      GST_BUFFER_DURATION(buffer) = std::min(GST_BUFFER_DURATION(buffer), next - start);
    text.time = start + (GST_BUFFER_DURATION_IS_VALID(buffer) ? GST_BUFFER_DURATION(buffer) : 0);
    flow = send(pad, text, buffer);
  } else {
    text.time = segment_start(pad);
  }
  return flow;
}

GstFlowReturn SideStreams::send_empty(GstPad* pad, Text& text, GstClockTime until) {
  GstFlowReturn flow = GST_FLOW_OK;
  const GstClockTime step = std::max(kStep, (until - std::min(until, text.time)) / kMostEmpty);
  while (flow == GST_FLOW_OK && text.time < until) {
    const GstClockTime duration = std::min(step, until - text.time);
    flow = send(pad, text, new_buffer("", text.time, duration));
    text.time += duration;
  }
  return flow;
}

GstFlowReturn SideStreams::hold(GstPad* pad, Text& text, GstBuffer* next) {
  const GstClockTime start = GST_BUFFER_PTS(next);
  if (text.held && GST_BUFFER_PTS(text.held) >= start) {
    GstBuffer* both =
        new_buffer(text_of(text.held) + "\n" + text_of(next), GST_BUFFER_PTS(text.held),
                   std::max(GST_BUFFER_DURATION(text.held), GST_BUFFER_DURATION(next)));
    gst_buffer_unref(std::exchange(text.held, both));
    gst_buffer_unref(next);
    return GST_FLOW_OK;
  }
  GstFlowReturn flow = send_held(pad, text, start);
  // Players do not agree on the times of a track that begins later than the video. And the muxer
  // takes one text in advance, which is to come soon after the video if that is made to end.
  if (flow == GST_FLOW_OK) flow = send_empty(pad, text, start);
  text.held = next;
  return flow;
}

GstPadProbeReturn SideStreams::on_text_event(GstPad* pad, GstPadProbeInfo* info, gpointer data) {
  auto& text = *static_cast<Text*>(data);
  GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
  const GstEventType type = GST_EVENT_TYPE(event);
  if (type == GST_EVENT_GAP) {
    GstClockTime stamp = GST_CLOCK_TIME_NONE;
    gst_event_parse_gap(event, &stamp, nullptr);
    // With a gap, a muxer may no longer wait. What is held would come after it. And matroskamux
    // since GStreamer 1.26, which is made of GstAggregator, writes an empty text for it.
    if (end_text(pad, text, stamp) || text.one_at_a_time || GST_IS_AGGREGATOR_PAD(text.muxer_pad) ||
        GST_CLOCK_TIME_IS_VALID(text.all->end_.load()))
      return GST_PAD_PROBE_DROP;
  }
  if ((type == GST_EVENT_EOS || type == GST_EVENT_SEGMENT) && text.held) {
    send_held(pad, text, GST_CLOCK_TIME_NONE);
    // GStreamer does not play a track that is shorter than a fifth of the film.
    if (type == GST_EVENT_EOS) send_empty(pad, text, segment_end(pad));
  }
  return GST_PAD_PROBE_OK;
}

GstPadProbeReturn SideStreams::on_video(GstPad* pad, GstPadProbeInfo* info, gpointer data) {
  auto& self = *static_cast<SideStreams*>(data);
  const GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
  const GstClockTime time = running_time(pad, GST_BUFFER_PTS(buffer));
  if (GST_CLOCK_TIME_IS_VALID(time))
    self.video_end_ =
        std::max(self.video_end_,
                 time + (GST_BUFFER_DURATION_IS_VALID(buffer) ? GST_BUFFER_DURATION(buffer) : 0));
  return GST_PAD_PROBE_OK;
}

GstPadProbeReturn SideStreams::on_video_event(GstPad*, GstPadProbeInfo* info, gpointer data) {
  auto& self = *static_cast<SideStreams*>(data);
  if (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_EOS && self.end_with_video_) {
    self.end_ = self.video_end_;
    for (const Text& text : self.texts_) take_back(text.muxer_pad, self.video_end_);
  }
  return GST_PAD_PROBE_OK;
}

}  // namespace mosaic_program
