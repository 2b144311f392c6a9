// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <vector>

#include "gst/properties/property.h"

namespace mosaic_gst {

/// All properties except those of the look.
std::vector<Property> element_properties();

/// A property for each field of mosaic::Look; its name has - for _.
std::vector<Property> look_properties();

}  // namespace mosaic_gst
