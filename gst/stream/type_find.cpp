// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/stream/type_find.h"

#include <span>

#include "gst/pointers.h"
#include "gst/stream/stream_caps.h"
#include "mosaic/stream/packet.h"

namespace mosaic_gst {
namespace {

void find_stream(GstTypeFind* find, gpointer) {
  using namespace mosaic::stream;
  const guint8* data = gst_type_find_peek(find, 0, kPacketHeaderBytes);
  if (!data) return;
  const auto header = read_packet_header({data, kPacketHeaderBytes});
  if (header && header->kind == PacketKind::kKey)
    gst_type_find_suggest_empty_simple(find, GST_TYPE_FIND_MAXIMUM, kStreamType);
}

}  // namespace

gboolean register_type_find(GstPlugin* plugin) {
  const Owned<GstCaps> caps(gst_caps_new_empty_simple(kStreamType));
  return gst_type_find_register(plugin, kStreamType, GST_RANK_PRIMARY, find_stream, "mosaic",
                                caps.get(), nullptr, nullptr);
}

}  // namespace mosaic_gst
