// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/input/fetched_picture.h"

#include <gst/gst.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "gst/pointers.h"
#include "mosaic/photos/decoding/decoder_protocol.h"
#include "program/failure.h"
#include "program/input/input_path.h"
#include "program/input/reasons.h"
#include "program/pipeline/pipeline_line.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

constexpr char kSource[] = "souphttpsrc";
constexpr GstClockTime kLook = GST_SECOND / 4;  // between looks at how much has come
constexpr int kMostSilence = 20;                // seconds in which something must come

bool is_address(const std::string& input) {
  return (gst_uri_has_protocol(input.c_str(), "http") ||
          gst_uri_has_protocol(input.c_str(), "https")) &&
         input_path(input).empty();
}

/// Tells the application if an address has something other than a picture. In a streaming thread.
void on_type(GstElement* typefind, guint, GstCaps* caps, gpointer) {
  const gchar* type = gst_structure_get_name(gst_caps_get_structure(caps, 0));
  if (!g_str_has_prefix(type, "image/"))
    gst_element_post_message(typefind,
                             gst_message_new_application(GST_OBJECT(typefind),
                                                         gst_structure_new_empty("not-a-picture")));
}

off_t size_of(int file) {
  struct stat info {};
  return fstat(file, &info) == 0 ? info.st_size : 0;
}

/// Whether a picture has come to its end. Throws Failure if nothing comes, or too much.
bool wait_for_picture(GstElement* pipeline, int file, const std::string& input) {
  const Owned<GstBus> bus(gst_element_get_bus(pipeline));
  gint64 moved = g_get_monotonic_time();
  off_t size = 0;
  while (true) {
    const Owned<GstMessage> message(
        gst_bus_timed_pop_filtered(bus.get(), kLook,
                                   static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR |
                                                               GST_MESSAGE_APPLICATION)));
    if (message && GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_EOS) return true;
    if (message && GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_APPLICATION) return false;
    if (message) {
      GError* told = nullptr;
      gchar* told_developers = nullptr;
      gst_message_parse_error(message.get(), &told, &told_developers);
      const Owned<GError> error(told);
      const Owned<gchar> debug(told_developers);
      // It comes from the server, or is about bytes of no known type.
      if (error->domain == GST_STREAM_ERROR) return false;
      throw Failure(why_unreadable(input, *error, debug.get()));
    }
    const gint64 now = g_get_monotonic_time();
    if (const off_t has = size_of(file); has > size) {
      size = has;
      moved = now;
    }
    if (size > static_cast<off_t>(mosaic::decoder::kMaxFileBytes))
      throw Failure(input + " is a picture of more than " +
                    std::to_string(mosaic::decoder::kMaxFileBytes >> 20) + " MiB");
    if (now - moved > kMostSilence * G_USEC_PER_SEC) throw Failure(why_silent(input, kMostSilence));
  }
}

}  // namespace

std::optional<FetchedPicture> FetchedPicture::fetch(const std::string& input) {
  const Owned<GstElementFactory> factory(gst_element_factory_find(kSource));
  if (!factory || !is_address(input)) return {};
  mosaic::Descriptor file(memfd_create("picture", MFD_CLOEXEC));
  if (file.get() < 0) return {};
  PipelineLine line;
  line.link(kSource).set("location", input).link("typefind").set("name", "type");
  line.link("fdsink").set("fd", file.get());
  const Owned<GstElement> pipeline(line.make());
  const Owned<GstElement> typefind(gst_bin_get_by_name(GST_BIN(pipeline.get()), "type"));
  g_signal_connect(typefind.get(), "have-type", G_CALLBACK(on_type), nullptr);
  struct End {
    GstElement* pipeline;
    ~End() { gst_element_set_state(pipeline, GST_STATE_NULL); }
  } end{pipeline.get()};
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  if (!wait_for_picture(pipeline.get(), file.get(), input)) return {};
  return FetchedPicture(input, std::move(file));
}

std::string FetchedPicture::path() const {
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_.get());
}

std::vector<std::string> FetchedPicture::command() const {
  return {"gst-launch-1.0", "-q", kSource, "location=" + address_, "!", "fdsink"};
}

}  // namespace mosaic_program
