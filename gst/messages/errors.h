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

/// Runs `work` in a function that GStreamer calls, through which no exception may pass: posts one
/// as the element's error message. Returns whether there was none.
template <class Work>
bool try_or_post(GstElement* element, const Work& work) {
  try {
    work();
    return true;
  } catch (const std::exception&) {
    post_current_exception(element);
    return false;
  }
}

}  // namespace mosaic_gst
