// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace mosaic_program {

/// Has GStreamer look for the element where this program was built or installed, too. The folders
/// that the user names in GST_PLUGIN_PATH come first, those of the system last. Called before
/// gst_init().
void add_plugin_folder();

/// Throws Failure if GStreamer does not find the element, or cannot load it.
void check_element();

}  // namespace mosaic_program
