// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/stream/mosaic_parse.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "gst/messages/log.h"
#include "gst/pointers.h"
#include "gst/stream/stream_caps.h"
#include "mosaic/stream/packet.h"
#include "mosaic/stream/stream_header.h"

#define GST_CAT_DEFAULT mosaic_gst::log_category(mosaic_gst::LogPart::kElement)

using mosaic::stream::kPacketHeaderBytes;
using mosaic::stream::PacketHeader;
using mosaic::stream::PacketKind;
using mosaic_gst::Owned;

struct _GstMosaicParse {
  GstBaseParse parent;
  bool read_index;                    ///< whether the index was looked for
  bool has_caps;                      ///< whether a keyframe has named the format
  guint width, height, fps_n, fps_d;  ///< of the caps
  gint par_n, par_d;
};

G_DEFINE_TYPE(GstMosaicParse, gst_mosaic_parse, GST_TYPE_BASE_PARSE)
GST_ELEMENT_REGISTER_DEFINE(mosaicparse, "mosaicparse", GST_RANK_PRIMARY, GST_TYPE_MOSAIC_PARSE)

static void gst_mosaic_parse_init(GstMosaicParse* self) {
  gst_base_parse_set_min_frame_size(GST_BASE_PARSE(self), kPacketHeaderBytes);
}

static gboolean gst_mosaic_parse_start(GstBaseParse* parse) {
  GstMosaicParse* self = GST_MOSAIC_PARSE(parse);
  self->read_index = self->has_caps = false;
  gst_base_parse_set_has_timing_info(parse, TRUE);
  return TRUE;
}

namespace {

/// A part of the file; empty: it cannot be read.
std::vector<uint8_t> pull(GstBaseParse* parse, guint64 offset, guint size) {
  GstBuffer* buffer = nullptr;
  if (gst_pad_pull_range(GST_BASE_PARSE_SINK_PAD(parse), offset, size, &buffer) != GST_FLOW_OK)
    return {};
  const Owned<GstBuffer> owned(buffer);
  std::vector<uint8_t> bytes(gst_buffer_get_size(buffer));
  gst_buffer_extract(buffer, 0, bytes.data(), bytes.size());
  if (bytes.size() != size) return {};
  return bytes;
}

/// The index at the end of a file that can be read anywhere; nullopt: there is none.
std::optional<mosaic::stream::Index> find_index(GstBaseParse* parse) {
  using namespace mosaic::stream;
  gint64 size = 0;
  if (!gst_pad_peer_query_duration(GST_BASE_PARSE_SINK_PAD(parse), GST_FORMAT_BYTES, &size) ||
      size < static_cast<gint64>(kPacketHeaderBytes + kIndexEndBytes))
    return {};
  const size_t bytes = index_packet_bytes(pull(parse, size - kIndexEndBytes, kIndexEndBytes));
  if (bytes == 0 || bytes > static_cast<guint64>(size)) return {};
  const std::vector<uint8_t> packet = pull(parse, size - bytes, static_cast<guint>(bytes));
  const auto header = read_packet_header(packet);
  if (!header || header->kind != PacketKind::kIndex || !is_intact(packet)) return {};
  return read_index(std::span(packet).subspan(kPacketHeaderBytes));
}

/// Makes the index of a file known to the base class, which seeks by it.
void use_index(GstBaseParse* parse) {
  GstPad* pad = GST_BASE_PARSE_SINK_PAD(parse);
  if (GST_PAD_MODE(pad) != GST_PAD_MODE_PULL) return;
  const std::optional<mosaic::stream::Index> index = find_index(parse);
  if (!index) return;
  GST_DEBUG_OBJECT(parse, "the index has %zu keyframes", index->entries.size());
  for (const mosaic::stream::IndexEntry& entry : index->entries)
    gst_base_parse_add_index_entry(parse, entry.offset, entry.time, TRUE, TRUE);
  gst_base_parse_set_duration(parse, GST_FORMAT_TIME, static_cast<gint64>(index->end), 0);
}

/// Announces the format that a keyframe names, if it is another one than before.
/// Throws mosaic::Error if the keyframe is damaged.
void use_header(GstMosaicParse* self, std::span<const uint8_t> payload) {
  size_t size = 0;
  const mosaic::stream::StreamHeader h = mosaic::stream::read_header(payload, size);
  const guint width = h.width, height = h.height;
  if (self->has_caps && width == self->width && height == self->height && h.fps_n == self->fps_n &&
      h.fps_d == self->fps_d && h.pixel.width == self->par_n && h.pixel.height == self->par_d)
    return;
  const Owned<GstCaps> caps(gst_caps_from_string(mosaic_gst::kStreamCaps));
  const gint fps_n = static_cast<gint>(std::min<guint32>(h.fps_n, G_MAXINT));
  const gint fps_d = static_cast<gint>(std::min<guint32>(h.fps_d, G_MAXINT));
  gst_caps_set_simple(caps.get(), "width", G_TYPE_INT, h.width, "height", G_TYPE_INT, h.height,
                      "pixel-aspect-ratio", GST_TYPE_FRACTION, h.pixel.width, h.pixel.height,
                      "framerate", GST_TYPE_FRACTION, fps_n, fps_d, nullptr);
  gst_pad_set_caps(GST_BASE_PARSE_SRC_PAD(self), caps.get());
  self->has_caps = true;
  self->width = width, self->height = height;
  self->fps_n = h.fps_n, self->fps_d = h.fps_d;
  self->par_n = h.pixel.width, self->par_d = h.pixel.height;
}

/// Sets what a packet says of its frame.
void describe_frame(GstMosaicParse* self, GstBaseParseFrame* frame, const PacketHeader& header) {
  if (header.kind == PacketKind::kIndex || !self->has_caps) {
    frame->flags |= GST_BASE_PARSE_FRAME_FLAG_DROP;
    return;
  }
  // Without a duration: after a seek the base class would leave out the frames between a keyframe
  // and the one that is sought, which needs them.
  if (header.time != mosaic::stream::kNoTime)
    GST_BUFFER_PTS(frame->buffer) = GST_BUFFER_DTS(frame->buffer) = header.time;
  if (header.kind == PacketKind::kKey)
    GST_BUFFER_FLAG_UNSET(frame->buffer, GST_BUFFER_FLAG_DELTA_UNIT);
  else
    GST_BUFFER_FLAG_SET(frame->buffer, GST_BUFFER_FLAG_DELTA_UNIT);
}

/// Looks at the beginning of some bytes.
/// @param skip receives how many of them belong to no packet
/// @return the size of the packet; 0: there is none, or not all of it
size_t parse_packet(GstMosaicParse* self, GstBaseParseFrame* frame, std::span<const uint8_t> bytes,
                    gint* skip) {
  const auto header = mosaic::stream::read_packet_header(bytes);
  if (!header) {
    const auto magic = mosaic::stream::kPacketMagic;
    const auto next = std::search(bytes.begin() + 1, bytes.end(), magic.begin(), magic.end());
    // The last bytes may be the beginning of the magic.
    *skip = next == bytes.end() ? std::max<gint>(1, static_cast<gint>(bytes.size()) - 3)
                                : static_cast<gint>(next - bytes.begin());
    return 0;
  }
  const size_t size = kPacketHeaderBytes + header->payload_bytes;
  if (bytes.size() < size) {
    gst_base_parse_set_min_frame_size(GST_BASE_PARSE(self), static_cast<guint>(size));
    return 0;
  }
  gst_base_parse_set_min_frame_size(GST_BASE_PARSE(self), kPacketHeaderBytes);
  const std::span<const uint8_t> packet = bytes.first(size);
  if (!mosaic::stream::is_intact(packet)) {
    GST_WARNING_OBJECT(self, "a packet of %zu bytes is damaged and left out", size);
    *skip = static_cast<gint>(mosaic::stream::kPacketMagic.size());
    return 0;
  }
  if (header->kind == PacketKind::kKey) use_header(self, packet.subspan(kPacketHeaderBytes));
  describe_frame(self, frame, *header);
  return size;
}

}  // namespace

static GstFlowReturn gst_mosaic_parse_handle_frame(GstBaseParse* parse, GstBaseParseFrame* frame,
                                                   gint* skip) {
  GstMosaicParse* self = GST_MOSAIC_PARSE(parse);
  if (!self->read_index) {
    self->read_index = true;
    use_index(parse);
  }
  GstMapInfo map;
  if (!gst_buffer_map(frame->buffer, &map, GST_MAP_READ)) return GST_FLOW_ERROR;
  size_t size = 0;
  try {
    size = parse_packet(self, frame, {map.data, map.size}, skip);
  } catch (const std::exception& error) {
    GST_WARNING_OBJECT(parse, "a packet is left out: %s", error.what());
    *skip = static_cast<gint>(mosaic::stream::kPacketMagic.size());
  }
  gst_buffer_unmap(frame->buffer, &map);
  if (size == 0) return GST_FLOW_OK;
  return gst_base_parse_finish_frame(parse, frame, static_cast<gint>(size));
}

static void gst_mosaic_parse_class_init(GstMosaicParseClass* klass) {
  GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
  gst_element_class_set_static_metadata(element_class, "Mosaic stream parser", "Codec/Parser/Video",
                                        "Divides a mosaic stream into packets",
                                        "The mosaictemporal authors");
  const Owned<GstCaps> in(gst_caps_new_empty_simple(mosaic_gst::kStreamType));
  const Owned<GstCaps> out(gst_caps_from_string(mosaic_gst::kStreamCaps));
  gst_element_class_add_pad_template(
      element_class, gst_pad_template_new("sink", GST_PAD_SINK, GST_PAD_ALWAYS, in.get()));
  gst_element_class_add_pad_template(
      element_class, gst_pad_template_new("src", GST_PAD_SRC, GST_PAD_ALWAYS, out.get()));
  GstBaseParseClass* parse_class = GST_BASE_PARSE_CLASS(klass);
  parse_class->start = gst_mosaic_parse_start;
  parse_class->handle_frame = gst_mosaic_parse_handle_frame;
}
