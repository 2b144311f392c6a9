// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gdk-pixbuf/gdk-pixbuf.h>

#include <string>

#include "mosaic/photos/formats/photo_format.h"

namespace mosaic {

/// Converts the colours of a picture, in place, from the colour profile that its loader found, or
/// else from another one, to sRGB. Without a profile, colours are sRGB already.
/// @return the name of the profile, in ASCII; empty: nothing was converted, because there is no
///         profile, because it is that of sRGB but for rounding, or because it cannot be used: it
///         is damaged, or one of ink (CMYK), which loaders have left behind
/// @param profile empty: there is none but the loader's
/// @param colours of a picture without any profile
std::string convert_to_srgb(GdkPixbuf* pixbuf, FileBytes profile, PhotoColours colours);

}  // namespace mosaic
