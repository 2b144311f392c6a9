// SPDX-License-Identifier: LGPL-2.1-or-later
// A complete program that shows a video as a mosaic and prints the element's messages.
//
//   g++ -std=c++20 examples/embed.cpp -o embed $(pkg-config --cflags --libs gstreamer-1.0)
//   GST_PLUGIN_PATH=build/gst ./embed clip.mp4 photos [SINK]
#include <gst/gst.h>

#include <cstdio>

namespace {

// Prints the progress of loading and, once for every 25 frames, statistics of the mosaic.
void report(GstMessage* message) {
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_PROGRESS) {
    GstProgressType type;
    gchar *code = nullptr, *text = nullptr;
    gst_message_parse_progress(message, &type, &code, &text);
    std::printf("%s\n", text);
    g_free(code);
    g_free(text);
    return;
  }
  const GstStructure* stats = gst_message_get_structure(message);
  if (!stats || !gst_structure_has_name(stats, "mosaictemporal-stats")) return;
  guint64 frame = 0;
  guint cells = 0, changed = 0;
  gdouble ms = 0;
  gst_structure_get(stats, "frame", G_TYPE_UINT64, &frame, "cells", G_TYPE_UINT, &cells, "changed",
                    G_TYPE_UINT, &changed, "ms", G_TYPE_DOUBLE, &ms, nullptr);
  if (frame % 25 == 0)
    std::printf("frame %" G_GUINT64_FORMAT ": %u of %u tiles changed, %.1f ms\n", frame, changed,
                cells, ms);
}

// Plays to the end or to an error, and returns the exit status.
int play(GstElement* pipeline) {
  GstBus* bus = gst_element_get_bus(pipeline);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  int status = -1;
  while (status < 0) {
    GstMessage* message = gst_bus_timed_pop(bus, GST_CLOCK_TIME_NONE);
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS) {
      status = 0;
    } else if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
      GError* error = nullptr;
      gst_message_parse_error(message, &error, nullptr);
      std::fprintf(stderr, "%s\n", error->message);
      g_error_free(error);
      status = 1;
    } else {
      report(message);
    }
    gst_message_unref(message);
  }
  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(bus);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  gst_init(&argc, &argv);
  if (argc != 3 && argc != 4) {
    std::fprintf(stderr, "usage: embed VIDEO PHOTOS [SINK]\n");
    return 2;
  }
  // Paths are set as properties, because a space would split them in the pipeline's text.
  gchar* text = g_strdup_printf(
      "filesrc name=file ! decodebin ! videoconvert ! mosaictemporal name=mosaic silent=false ! "
      "videoconvert ! %s",
      argc == 4 ? argv[3] : "autovideosink");
  GError* error = nullptr;
  GstElement* pipeline = gst_parse_launch(text, &error);
  g_free(text);
  if (error) {
    std::fprintf(stderr, "%s\n", error->message);
    return 1;
  }
  const char* const settings[][2] = {{"file", "location"}, {"mosaic", "tile-location"}};
  for (int i = 0; i < 2; ++i) {
    GstElement* element = gst_bin_get_by_name(GST_BIN(pipeline), settings[i][0]);
    g_object_set(element, settings[i][1], argv[i + 1], nullptr);
    gst_object_unref(element);
  }
  const int status = play(pipeline);
  gst_object_unref(pipeline);
  return status;
}
