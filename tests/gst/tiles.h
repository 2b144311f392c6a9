// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Shared by the tests of the meta and of clicks: photos that differ in every pixel, and the meta
/// of a frame as an application reads it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/gst/harness.h"

namespace element_test {

/// A folder of photos of one colour each.
class FlatPhotos {
 public:
  explicit FlatPhotos(int count) {
    for (int i = 0; i < count; ++i) write_flat_photo(path(i), colour(i));
  }
  std::string folder() const { return folder_.path(); }
  std::string path(int photo) const {
    return folder_.path((photo < 10 ? "0" : "") + std::to_string(photo) + ".bmp");
  }
  /// The colour of a photo; all photos have different colours.
  static Colour colour(int photo) {
    return {static_cast<uint8_t>(10 + 19 * (photo % 12)),
            static_cast<uint8_t>(30 + 50 * (photo % 5)), static_cast<uint8_t>(40 + photo)};
  }
  /// Makes an element draw only these photos, unchanged.
  void give_to(Element& element) const {
    element.set("tile-location", folder().c_str(), "cache-location", "", "temporal-blend", 0U,
                "augment", FALSE, "profile-name", "plain");
  }

 private:
  TempFolder folder_;
};

inline std::vector<int32_t> ints_of(const GstStructure* structure, const char* field) {
  GBytes* bytes = nullptr;
  EXPECT_TRUE(gst_structure_get(structure, field, G_TYPE_BYTES, &bytes, nullptr)) << field;
  if (!bytes) return {};
  gsize size = 0;
  const auto* data = static_cast<const int32_t*>(g_bytes_get_data(bytes, &size));
  std::vector<int32_t> ints(data, data + size / sizeof(int32_t));
  g_bytes_unref(bytes);
  return ints;
}

/// The fields of a GstMosaicTemporalMeta.
struct Meta {
  guint columns = 0, rows = 0;
  std::vector<int32_t> x, y, tile, photo, age;

  bool operator==(const Meta&) const = default;
  size_t cell(guint column, guint row) const { return size_t{row} * columns + column; }
};

/// The meta of a buffer; nullopt if it has none.
inline std::optional<Meta> meta_of(const Buffer& buffer) {
  GstCustomMeta* found = gst_buffer_get_custom_meta(buffer.get(), "GstMosaicTemporalMeta");
  if (!found) return std::nullopt;
  const GstStructure* s = gst_custom_meta_get_structure(found);
  Meta meta;
  EXPECT_TRUE(gst_structure_get(s, "columns", G_TYPE_UINT, &meta.columns, "rows", G_TYPE_UINT,
                                &meta.rows, nullptr));
  meta.x = ints_of(s, "x"), meta.y = ints_of(s, "y");
  meta.tile = ints_of(s, "tile"), meta.photo = ints_of(s, "photo"), meta.age = ints_of(s, "age");
  return meta;
}

/// The number of GstMosaicTemporalMetas of a buffer.
inline int count_metas(const Buffer& buffer) {
  const GstMetaInfo* info = gst_meta_get_info("GstMosaicTemporalMeta");
  gpointer state = nullptr;
  int count = 0;
  while (GstMeta* meta = gst_buffer_iterate_meta(buffer.get(), &state)) count += meta->info == info;
  return count;
}

/// The value of the property `photos`.
inline std::vector<std::string> photos_of(Element& element) {
  gchar** names = nullptr;
  g_object_get(element.get(), "photos", &names, nullptr);
  std::vector<std::string> photos;
  for (gchar** name = names; name && *name; ++name) photos.emplace_back(*name);
  g_strfreev(names);
  return photos;
}

}  // namespace element_test
