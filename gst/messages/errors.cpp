// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/messages/errors.h"

#include <new>

#include "cuda/gpu_executor.h"
#include "gst/messages/utf8.h"
#include "mosaic/base/error.h"

namespace mosaic_gst {
namespace {

void post(GstElement* element, GstMessageType type, GQuark domain, gint code,
          const std::string& text, const std::string& debug) {
  gst_element_message_full(element, type, domain, code, g_strdup(to_utf8(text).c_str()),
                           debug.empty() ? nullptr : g_strdup(to_utf8(debug).c_str()), __FILE__,
                           GST_FUNCTION, __LINE__);
}

void post(GstElement* element, GstMessageType type, const mosaic::Error& error) {
  GQuark domain = GST_RESOURCE_ERROR;
  gint code = GST_RESOURCE_ERROR_READ;
  switch (error.kind()) {
    case mosaic::Error::Kind::kNotFound:
      code = GST_RESOURCE_ERROR_NOT_FOUND;
      break;
    case mosaic::Error::Kind::kWrite:
      code = GST_RESOURCE_ERROR_WRITE;
      break;
    case mosaic::Error::Kind::kSettings:
      domain = GST_LIBRARY_ERROR;
      code = GST_LIBRARY_ERROR_SETTINGS;
      break;
    case mosaic::Error::Kind::kFormat:
      domain = GST_STREAM_ERROR;
      code = GST_STREAM_ERROR_FORMAT;
      break;
    case mosaic::Error::Kind::kRead:
    case mosaic::Error::Kind::kCancelled:
      break;
  }
  post(element, type, domain, code, describe(error), error.hint());
}

/// Posts the current exception. To be called in a catch block.
void post_current(GstElement* element, GstMessageType type) {
  try {
    throw;
  } catch (const mosaic::Error& error) {
    post(element, type, error);
  } catch (const mt::NoGpuKernels& error) {
    post(element, type, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
         std::string("The GPU cannot be used: ") + error.what() +
             " (update NVIDIA's driver, or set device to cpu)",
         "");
  } catch (const mt::GpuError& error) {
    post(element, type, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
         std::string("The GPU failed: ") + error.what() +
             " (restart the pipeline, with smaller frames if memory ran out, or set device to cpu)",
         "");
  } catch (const std::bad_alloc&) {
    post(element, type, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
         "Out of memory (use fewer or smaller photos, or a smaller frame)", "");
  } catch (const std::exception& error) {
    post(element, type, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED, error.what(), "");
  }
}

}  // namespace

std::string describe(const std::exception& error) {
  const auto* own = dynamic_cast<const mosaic::Error*>(&error);
  if (!own || own->hint().empty()) return error.what();
  return own->what() + std::string(" (") + own->hint() + ")";
}

void post_warning(GstElement* element, const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception&) {
    post_current(element, GST_MESSAGE_WARNING);
  }
}

void post_current_exception(GstElement* element) {
  post_current(element, GST_MESSAGE_ERROR);
}

}  // namespace mosaic_gst
