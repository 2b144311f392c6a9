// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include "gst/properties/settings.h"

namespace mosaic_gst {

/// Installs every property of the element.
void install_properties(GObjectClass* object_class);

/// Writes a property's value to `value`; false if the element has to provide it (active-codec,
/// stats, photos).
/// @param id GParamSpec::param_id of a property that install_properties() installed
bool get_setting(const Settings& settings, guint id, GValue* value);

/// Sets a property's value. If it is not valid, the setting stays as it was, and the reason is
/// stored in Settings::errors. False if the property is read-only.
bool set_setting(Settings& settings, guint id, const GValue* value);

}  // namespace mosaic_gst
