// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/properties/property_table.h"

namespace mosaic_gst {
namespace {

constexpr guint64 kLongestTurn = 86400 * GST_SECOND;
constexpr unsigned kLargestRadius = 16384;  // the longest side of a grid

}  // namespace

std::vector<Property> use_properties() {
  return {
      enumeration({"unit", "Unit", "What the cells get, and what is counted"}, kPlaying,
                  &Settings::unit, "GstMosaicTemporalUnit",
                  {{mosaic::Unit::kPhoto, "photo",
                    "Photos: mirrored, brighter, darker and recoloured copies are the same photo"},
                   {mosaic::Unit::kTile, "tile",
                    "Tiles: each copy of a photo counts by itself, as in mosaicraft"}}),
      number(
          {"max-photo-uses", "Maximum photo uses",
           "With unit=photo: maximum number of times that a photo is used in a frame (0 = the "
           "smallest number that leaves some choice, 1 = each photo at most once). It is an error "
           "if the photos cannot cover the frame"},
          kPlaying, &Settings::max_photo_uses, 0, G_MAXUINT),
      number(
          {"min-photo-uses", "Minimum photo uses",
           "With unit=photo: minimum number of times that each photo is used in a frame; where "
           "there are too few cells, the number of cells divided by that of photos (0 = a photo "
           "may be left out). A time limit may leave this to later frames. It is an error if it is "
           "more than max-photo-uses, unless that is 0"},
          kPlaying, &Settings::min_photo_uses, 0, G_MAXUINT),
      number(
          {"show-within", "Show within",
           "With unit=photo: in any span of so many nanoseconds each photo is shown for show-for, "
           "as "
           "far as there are cells for it (0 = no guarantee: some photos may never appear). Photos "
           "that would wait longer are placed where they cost least; a time limit may delay them. "
           "Rounded down to whole frames, "
           "at least one; video without a frame rate counts as 25 a second"},
          kPlaying, &Settings::show_within, 0, kLongestTurn),
      number({"show-for", "Show for",
              "With show-within: for how long, in nanoseconds. It is an error if it is longer than "
              "show-within"},
             kPlaying, &Settings::show_for, 1, kLongestTurn),
      number({"max-tile-uses", "Maximum tile uses",
              "With unit=tile: maximum number of times that a tile is used in a frame (0 = the "
              "smallest number with which the tiles cover the frame, 1 = each tile at most once). "
              "It is an error if the tiles cannot cover the frame"},
             kPlaying, &Settings::max_tile_uses, 0, G_MAXUINT),
      number({"dedup-similarity", "Deduplication similarity",
              "With unit=photo: photos that are similar to at least this degree count as one, such "
              "as those of a burst: the share of equal bits of their perceptual hashes (0 = each "
              "counts by itself, 1 = only equal hashes; about 0.85 finds bursts). Two photos whose "
              "mean colours differ by more than 16 levels in R, G or B never count as one"},
             kPlaying, &Settings::dedup_similarity, 0, 1),
      number({"dedup-radius", "Deduplication radius",
              "Distance in cells within which a photo is not repeated: with unit=photo wherever "
              "enough photos may be used once more, with unit=tile only if tiles are used more "
              "than once, and where a tile that suits the cell is left (0 = no minimum distance)"},
             kControllable, in_frame(&mosaic::FrameSettings::dedup_radius), 0, kLargestRadius)};
}

}  // namespace mosaic_gst
