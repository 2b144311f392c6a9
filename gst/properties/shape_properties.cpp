// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/properties/property_table.h"

namespace mosaic_gst {
namespace {

void check_tile_aspect_ratio(Settings&, const std::string& text) {
  parse_tile_aspect_ratio(text);
}

}  // namespace

std::vector<Property> shape_properties() {
  return {
      text({"tile-aspect-ratio", "Tile aspect ratio",
            "Shape of the cells on the display, to which photos are cut: WIDTH:HEIGHT (\"3:2\"), "
            "from 1:4 to 4:1; or auto, the shape that most of the photos have, of 1:1, 5:4, 4:3, "
            "3:2 and 16:9, landscape or portrait. Where size is COLUMNSxROWS, the grid decides on "
            "the shape of the cells, and this property only on that of the photos"},
           kPlaying, &Settings::tile_aspect_ratio, check_tile_aspect_ratio),
      enumeration({"crop", "Crop",
                   "Which part is shown of photos that have another shape than the cells. The "
                   "photos of packs and the frames of videos are always cut at their centre"},
                  kPlaying, &Settings::crop, "GstMosaicTemporalCrop",
                  {{mosaic::Crop::kCentre, "centre", "The middle"},
                   {mosaic::Crop::kDetail, "detail",
                    "The part with most edges and colours of skin, if it has clearly more of them "
                    "than the middle"}})};
}

}  // namespace mosaic_gst
