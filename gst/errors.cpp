// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/errors.h"

#include <new>

#include "cuda/gpu_executor.h"
#include "mosaic/error.h"

namespace mosaic_gst {
namespace {

void post(GstElement* element, GQuark domain, gint code, const std::string& text,
          const std::string& debug) {
  gst_element_message_full(element, GST_MESSAGE_ERROR, domain, code, g_strdup(text.c_str()),
                           debug.empty() ? nullptr : g_strdup(debug.c_str()), __FILE__,
                           GST_FUNCTION, __LINE__);
}

void post(GstElement* element, const mosaic::Error& error) {
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
    case mosaic::Error::Kind::kRead:
    case mosaic::Error::Kind::kCancelled:
      break;
  }
  post(element, domain, code, describe(error), error.hint());
}

}  // namespace

std::string describe(const std::exception& error) {
  const auto* own = dynamic_cast<const mosaic::Error*>(&error);
  if (!own || own->hint().empty()) return error.what();
  return own->what() + std::string(" (") + own->hint() + ")";
}

void post_current_exception(GstElement* element) {
  try {
    throw;
  } catch (const mosaic::Error& error) {
    post(element, error);
  } catch (const mt::GpuError& error) {
    post(element, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
         std::string("The GPU failed: ") + error.what() +
             " (start again, with smaller frames if it is out of memory, or set device to cpu)",
         "");
  } catch (const std::bad_alloc&) {
    post(element, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
         "Out of memory (use fewer or smaller photos, or a smaller frame)", "");
  } catch (const std::exception& error) {
    post(element, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED, error.what(), "");
  }
}

}  // namespace mosaic_gst
