// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/storms/messages.h"

#include <array>
#include <string_view>

namespace storm {
namespace {

/// Parts of critical messages that are caused by GStreamer alone, each with its reason. None is
/// known.
constexpr std::array<std::string_view, 0> kKnown = {};

GLogWriterOutput write_log(GLogLevelFlags level, const GLogField* fields, gsize count,
                           gpointer data) {
  auto& journal = *static_cast<Journal*>(data);
  if (!(level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR)))
    return level & G_LOG_LEVEL_WARNING ? g_log_writer_default(level, fields, count, nullptr)
                                       : G_LOG_WRITER_HANDLED;
  std::string text;
  for (gsize i = 0; i < count; ++i)
    if (std::string_view(fields[i].key) == "MESSAGE")
      text = static_cast<const char*>(fields[i].value);
  for (const std::string_view known : kKnown)
    if (text.find(known) != text.npos) return G_LOG_WRITER_HANDLED;
  journal.fail("critical message: " + text);
}

bool is_ours(const GstMessage* message) {
  return std::string_view(G_OBJECT_TYPE_NAME(GST_MESSAGE_SRC(message))) == "GstMosaicTemporal";
}

}  // namespace

void make_criticals_fatal(Journal& journal) {
  g_log_set_writer_func(write_log, &journal, nullptr);
}

void BusReport::read(GstBus* bus, Journal& journal, bool stopping) {
  while (GstMessage* message = gst_bus_pop(bus)) {
    const GstMessageType type = GST_MESSAGE_TYPE(message);
    if (type == GST_MESSAGE_EOS) ended = true;
    if (type == GST_MESSAGE_ERROR || type == GST_MESSAGE_WARNING) {
      GError* error = nullptr;
      gchar* debug = nullptr;
      if (type == GST_MESSAGE_ERROR)
        gst_message_parse_error(message, &error, &debug);
      else
        gst_message_parse_warning(message, &error, &debug);
      const std::string text = std::string(GST_MESSAGE_SRC_NAME(message)) + ": " + error->message +
                               " (" + (debug ? debug : "") + ")";
      journal.note((type == GST_MESSAGE_ERROR ? "error of " : "warning of ") + text);
      const bool undescribed = g_error_matches(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED);
      if (is_ours(message) && undescribed) journal.fail("not meant for users: " + text);
      // A source posts an error of its own when an element after it returns one.
      const bool passed_on = text.find("reason error (-5)") != text.npos;
      if (type == GST_MESSAGE_ERROR && !(stopping && passed_on && !is_ours(message))) {
        failed = true;
        explained |= !passed_on;
      }
      g_error_free(error);
      g_free(debug);
    }
    gst_message_unref(message);
  }
}

}  // namespace storm
