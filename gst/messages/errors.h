// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <exception>
#include <string>

namespace mosaic_gst {

/// An exception's cause and hint as one text for the user.
std::string describe(const std::exception& error);

/// Posts an exception as the element's warning: its cause and what to do about it.
void post_warning(GstElement* element, const std::exception_ptr& exception);

/// Posts the current exception as the element's error message. To be called in a catch block.
void post_current_exception(GstElement* element);

}  // namespace mosaic_gst
