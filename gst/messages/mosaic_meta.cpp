// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/messages/mosaic_meta.h"

#include <gst/video/video.h>

namespace mosaic_gst {
namespace {

/// The fields of the buffer's meta, which is added if there is none.
GstStructure* fields_of(GstBuffer* buffer) {
  GstCustomMeta* meta = gst_buffer_get_custom_meta(buffer, kMetaName);
  if (!meta) meta = gst_buffer_add_custom_meta(buffer, kMetaName);
  return gst_custom_meta_get_structure(meta);
}

void copy_fields(GstStructure* to, const GstStructure* from) {
  for (int i = 0; i < gst_structure_n_fields(from); ++i) {
    const gchar* name = gst_structure_nth_field_name(from, i);
    gst_structure_set_value(to, name, gst_structure_get_value(from, name));
  }
}

/// Whether the transform leaves every pixel at its position.
bool keeps_places(const GstVideoMetaTransform& change) {
  const GstVideoInfo &in = *change.in_info, &out = *change.out_info;
  return in.width == out.width && in.height == out.height && in.par_n == out.par_n &&
         in.par_d == out.par_d;
}

/// Copies the meta if the whole frame is kept at the same size; drops it for scaling, cropping and
/// rotation.
gboolean transform(GstBuffer* to, GstCustomMeta* meta, GstBuffer*, GQuark type, gpointer data,
                   gpointer) {
  const bool kept = GST_META_TRANSFORM_IS_COPY(type)
                        ? !static_cast<const GstMetaTransformCopy*>(data)->region
                    : GST_VIDEO_META_TRANSFORM_IS_SCALE(type)
                        ? keeps_places(*static_cast<const GstVideoMetaTransform*>(data))
                        : false;
  if (kept) copy_fields(fields_of(to), gst_custom_meta_get_structure(meta));
  return kept;
}

}  // namespace

void register_meta() {
  static const gchar* tags[] = {GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR,
                                GST_META_TAG_VIDEO_ORIENTATION_STR, nullptr};
  gst_meta_register_custom(kMetaName, tags, transform, nullptr, nullptr);
}

void set_meta(GstBuffer* buffer, const ShownMosaic& shown) {
  gst_structure_set(fields_of(buffer), "columns", G_TYPE_UINT, shown.grid.columns, "rows",
                    G_TYPE_UINT, shown.grid.rows, "x", G_TYPE_BYTES, shown.x.get(), "y",
                    G_TYPE_BYTES, shown.y.get(), "tile", G_TYPE_BYTES, shown.tile.get(), "photo",
                    G_TYPE_BYTES, shown.photo.get(), "age", G_TYPE_BYTES, shown.age.get(), nullptr);
}

}  // namespace mosaic_gst
