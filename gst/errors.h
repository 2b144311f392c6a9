// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <exception>
#include <string>

namespace mosaic_gst {

/// An exception's cause and hint in one text for the user.
std::string describe(const std::exception& error);

/// Call in a catch block: posts the exception in flight as the element's error message.
void post_current_exception(GstElement* element);

}  // namespace mosaic_gst
