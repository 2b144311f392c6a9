// SPDX-License-Identifier: LGPL-2.1-or-later
// Packs of photos, files of mosaic streams, and pipelines that write and read them.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cpu/cpu_executor.h"
#include "mosaic/pack/make_pack.h"
#include "mosaic/photos/photo.h"
#include "tests/gst/harness.h"

namespace element_test {

inline constexpr int kStreamWidth = 160, kStreamHeight = 120;

/// A pack of the built-in pictures, made once.
inline const std::string& built_in_pack() {
  static const TempFolder folder;
  static const std::string path = [] {
    mt::WorkerPool workers(2);
    const std::string pack = folder.path("all.mospack");
    mosaic::pack::make_pack(
        *mosaic::make_procedural_photos(), pack, {64, {}}, workers, [](const std::string&) {},
        [](int, int) {}, false);
    return pack;
  }();
  return path;
}

/// Runs a pipeline to its end. Returns the text of its error; empty: there was none.
inline std::string run(const std::string& description) {
  GError* error = nullptr;
  const ElementPtr pipeline(gst_parse_launch(description.c_str(), &error));
  if (error) {
    const std::string text = error->message;
    g_error_free(error);
    return "cannot be made: " + text;
  }
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  GstBus* bus = gst_element_get_bus(pipeline.get());
  const Message message(gst_bus_timed_pop_filtered(
      bus, 60 * GST_SECOND, static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR)));
  gst_object_unref(bus);
  gst_element_set_state(pipeline.get(), GST_STATE_NULL);
  if (!message) return "does not end";
  if (GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_EOS) return {};
  gst_message_parse_error(message.get(), &error, nullptr);
  const std::string text = error->message;
  g_error_free(error);
  return text;
}

inline std::vector<uint8_t> read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_all(const std::string& path, const std::vector<uint8_t>& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

/// The beginning of a pipeline: a mosaic of a moving picture, of 25 frames a second.
/// @param settings of mosaictemporal
inline std::string mosaic_of_a_ball(int frames, const std::string& settings) {
  return "videotestsrc pattern=ball num-buffers=" + std::to_string(frames) +
         " ! video/x-raw,format=RGB,framerate=25/1,width=" + std::to_string(kStreamWidth) +
         ",height=" + std::to_string(kStreamHeight) +
         " ! mosaictemporal max-solve-time=0 tile-size=16 " +
         "cache-location=\"\" tile-location=" + built_in_pack() + " " + settings;
}

/// Writes a stream to a file. Returns the error, as run().
inline std::string write_stream(const std::string& path, int frames,
                                const std::string& settings = {}) {
  return run(mosaic_of_a_ball(frames, settings) +
             " ! application/x-mosaic ! filesink location=" + path);
}

/// A pipeline that draws a file. @param end what follows mosaicrender
inline std::string drawing_of(const std::string& path, const std::string& settings,
                              const std::string& end) {
  return "filesrc location=" + path +
         " ! mosaicparse ! mosaicrender name=r pack-location=" + built_in_pack() + " " + settings +
         " ! " + end;
}

}  // namespace element_test
