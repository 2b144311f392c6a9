// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/photos/source_guard.h"

#include <cstring>

#include "gst/pointers.h"

namespace mosaic_gst {
namespace {

enum AutoplugSelect {
  kTry,
  kExpose,
  kSkip
};  // GstAutoplugSelectResult, which has no public header

constexpr char kOnlyItself[] =
    "it is a playlist, or something else that leads to other files or to the network";

bool is_http(const gchar* uri) {
  return uri && (gst_uri_has_protocol(uri, "http") || gst_uri_has_protocol(uri, "https"));
}

/// A data: URI contains what it names.
bool is_data(const gchar* uri) {
  return uri && gst_uri_has_protocol(uri, "data");
}

/// Whether elements of this kind open what the content names.
bool leads_elsewhere(GstElementFactory* factory) {
  const gchar* kind = gst_element_factory_get_metadata(factory, GST_ELEMENT_METADATA_KLASS);
  for (const char* word : {"Adaptive", "Network", "Editing", "Source"})
    if (kind && std::strstr(kind, word)) return true;
  return false;
}

gint on_autoplug_select(GstElement* bin, GstPad*, GstCaps*, GstElementFactory* factory, gpointer) {
  if (!leads_elsewhere(factory)) return kTry;
  GST_ELEMENT_ERROR(bin, STREAM, WRONG_TYPE, ("%s", kOnlyItself), ("%s", GST_OBJECT_NAME(factory)));
  return kSkip;
}

/// Whether `element` is the source that the bin made for its own URI, or is within that source.
bool is_own_source(GstObject* element, const GstObject* bin) {
  while (element && GST_OBJECT_PARENT(element) != bin) element = GST_OBJECT_PARENT(element);
  return element && GST_IS_URI_HANDLER(element);
}

/// Whether an element reads what is not in the pipeline. Of a bin that contains such elements,
/// these are looked at instead.
bool is_source(GstElement* element) {
  if (GST_IS_URI_HANDLER(element))
    return gst_uri_handler_get_uri_type(GST_URI_HANDLER(element)) == GST_URI_SRC;
  return GST_OBJECT_FLAG_IS_SET(element, GST_ELEMENT_FLAG_SOURCE) && !GST_IS_BIN(element);
}

void on_element(GstBin* bin, GstBin*, GstElement* element, gpointer http) {
  if (!is_source(element) || is_own_source(GST_OBJECT(element), GST_OBJECT(bin))) return;
  const Owned<gchar> owned(
      GST_IS_URI_HANDLER(element) ? gst_uri_handler_get_uri(GST_URI_HANDLER(element)) : nullptr);
  const gchar* uri = owned.get();
  const bool allowed = is_data(uri) || (GPOINTER_TO_INT(http) && is_http(uri));
  if (!allowed) {
    // Its parent then leaves it in the state NULL, in which nothing is opened.
    gst_element_set_locked_state(element, TRUE);
    GST_ELEMENT_ERROR(bin, STREAM, WRONG_TYPE, ("%s", kOnlyItself), ("%s", uri ? uri : "no URI"));
  }
}

}  // namespace

void guard_sources(GstElement* uri_decode_bin, const std::string& uri) {
  const bool http = is_http(uri.c_str());
  g_signal_connect(uri_decode_bin, "deep-element-added", G_CALLBACK(on_element),
                   GINT_TO_POINTER(http));
  if (!http)
    g_signal_connect(uri_decode_bin, "autoplug-select", G_CALLBACK(on_autoplug_select), nullptr);
}

}  // namespace mosaic_gst
