// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include "mosaic/look.h"

namespace mosaic_gst {

/// Installs a property for each field of a look, `saturation-boost` for saturation_boost, with ids
/// from `first` on.
void install_look_properties(GObjectClass* object_class, guint first, const mosaic::Look& defaults);

/// Reads or writes a field; `index` is the id less the first, any number. False when it is none.
bool get_look_field(const mosaic::Look& look, guint index, GValue* value);
bool set_look_field(mosaic::Look& look, guint index, const GValue* value);

}  // namespace mosaic_gst
