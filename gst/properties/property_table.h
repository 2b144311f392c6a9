// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <vector>

#include "gst/properties/property.h"

namespace mosaic_gst {

/// All properties. The id of a property is its index here plus 1.
const std::vector<Property>& element_properties();

/// The shape of the cells, and how photos are cut to it.
std::vector<Property> shape_properties();

/// What is assigned to the cells, how often, and how far apart.
std::vector<Property> use_properties();

/// How pictures and takes are cut into windows.
std::vector<Property> window_properties();

/// A property for each field of mosaic::Look; its name has - for _.
std::vector<Property> look_properties();

}  // namespace mosaic_gst
