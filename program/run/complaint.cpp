// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/run/complaint.h"

#include "gst/pointers.h"
#include "program/input/reasons.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

/// Whether an element reads, takes apart or decodes the input, or writes the output.
Complaint::From place_of(GstObject* element, GstElement* pipeline) {
  if (GST_OBJECT_FLAG_IS_SET(element, GST_ELEMENT_FLAG_SINK)) return Complaint::From::kOutput;
  if (GST_OBJECT_FLAG_IS_SET(element, GST_ELEMENT_FLAG_SOURCE)) return Complaint::From::kInput;
  // Elements that GStreamer chose are in bins.
  const Owned<GstObject> parent(gst_object_get_parent(element));
  if (!parent || parent.get() == GST_OBJECT(pipeline)) return Complaint::From::kBetween;
  return GST_OBJECT_FLAG_IS_SET(parent.get(), GST_ELEMENT_FLAG_SINK) ? Complaint::From::kOutput
                                                                     : Complaint::From::kInput;
}

/// Whether an element warns that it goes on with a test picture, or shows nothing, because it found
/// no camera or no screen.
bool is_substitute(GstObject* element) {
  const GstElementFactory* factory =
      GST_IS_ELEMENT(element) ? gst_element_get_factory(GST_ELEMENT(element)) : nullptr;
  const gchar* name = factory ? GST_OBJECT_NAME(factory) : nullptr;
  return g_strcmp0(name, "autovideosrc") == 0 || g_strcmp0(name, "autovideosink") == 0;
}

}  // namespace

Complaint to_complaint(GstMessage* message, GstElement* pipeline, GstElement* mosaic,
                       const Options& options) {
  GstObject* source = GST_MESSAGE_SRC(message);
  const bool is_error = GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR;
  GError* told = nullptr;
  gchar* told_developers = nullptr;
  (is_error ? gst_message_parse_error : gst_message_parse_warning)(message, &told,
                                                                   &told_developers);
  const Owned<GError> error(told);
  const Owned<gchar> debug(told_developers);
  Complaint complaint;
  complaint.is_error = is_error || is_substitute(source);
  complaint.from = place_of(source, pipeline);
  complaint.is_about_data = error->domain == GST_STREAM_ERROR;
  if (source == GST_OBJECT(mosaic))
    complaint.text = error->message;
  else if (complaint.from == Complaint::From::kInput)
    complaint.text = why_unreadable(options.input, *error, debug.get());
  else if (complaint.from == Complaint::From::kOutput && !options.output.empty())
    complaint.text = options.output + ": " + error->message;
  else
    complaint.text = std::string(GST_OBJECT_NAME(source)) + ": " + error->message;
  return complaint;
}

}  // namespace mosaic_program
