// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>
#include <utility>
#include <vector>

namespace mosaic_program {

/// The properties of an element mosaictemporal on which its pictures depend, with their values, so
/// that neither profiles nor settings files are needed any more. Those that concern the machine, or
/// have no effect, are left out.
std::vector<std::pair<std::string, std::string>> resolved_settings(GstElement* mosaic);

/// Whether resolved_settings() may have a property.
bool is_resolved_setting(const std::string& name);

/// Makes the paths in them absolute, since other processes may run in other folders.
/// @param properties as the user gave them
void make_paths_absolute(std::vector<std::pair<std::string, std::string>>& properties);

}  // namespace mosaic_program
