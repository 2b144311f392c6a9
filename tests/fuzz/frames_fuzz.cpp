// SPDX-License-Identifier: LGPL-2.1-or-later
// Frames with any metadata, and clicks. The first byte of the input chooses the caps; then come
// records of six bytes, each of which changes the next frame, pushes it, or clicks on the picture.
#include <gst/check/gstharness.h>
#include <gst/video/navigation.h>
#include <gst/video/video.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gst/element/mosaictemporal.h"
#include "tests/fuzz/input_file.h"
#include "tests/gst_pointers.h"

namespace {

constexpr int kWidth = 48, kHeight = 32, kMostFrames = 4;
constexpr const char* kFormats[] = {"I420", "NV12",      "RGB",     "BGRA",      "GRAY8",
                                    "YUY2", "Y444",      "RGBP",    "YV12",      "UYVY",
                                    "xRGB", "RGBA",      "BGR",     "RGBx",      "GBR",
                                    "ARGB", "P010_10LE", "P016_LE", "I420_10LE", "ARGB64_LE"};

enum Kind : uint8_t { kVideo, kCrop, kRegion, kMemory, kPush, kClick, kKinds };

struct Record {
  uint8_t kind, field;
  int32_t value;
  static constexpr size_t kBytes = 6;

  explicit Record(const uint8_t* bytes)
      : kind(static_cast<uint8_t>(bytes[0] % kKinds)), field(bytes[1]) {
    std::memcpy(&value, bytes + 2, sizeof value);
  }
};

/// A small photo, so that the element has its pool at once: 2x2 pixels, a BMP.
const std::string& photo_path() {
  static const fuzz::InputFile file("photo.bmp");
  static const bool written = [] {
    constexpr uint8_t kPhoto[] = {'B', 'M', 70, 0, 0, 0, 0, 0, 0, 0,   54, 0, 0, 0,   40,  0, 0,  0,
                                  2,   0,   0,  0, 2, 0, 0, 0, 1, 0,   24, 0, 0, 0,   0,   0, 16, 0,
                                  0,   0,   0,  0, 0, 0, 0, 0, 0, 0,   0,  0, 0, 0,   0,   0, 0,  0,
                                  200, 0,   0,  0, 0, 9, 0, 0, 0, 180, 0,  0, 0, 255, 255, 0};
    file.write(kPhoto, sizeof kPhoto);
    return true;
  }();
  static_cast<void>(written);
  return file.path();
}

/// The element between two pads.
class Harness {
 public:
  Harness(const std::string& format, bool scaled) {
    GST_ELEMENT_REGISTER(mosaictemporal, nullptr);
    harness_ = gst_harness_new("mosaictemporal");
    bus_ = gst_bus_new();
    gst_element_set_bus(harness_->element, bus_);
    g_object_set(harness_->element, "profile-name", "plain", "tile-size", 8U, "flow-size", "48x32",
                 "n-threads", 1U, "cache-location", "", "color-variants", 3U, "tile-location",
                 photo_path().c_str(), nullptr);
    const std::string caps = "video/x-raw,framerate=25/1,format=" + format;
    const std::string in = caps + ",width=48,height=32", out = caps + ",width=60,height=44";
    gst_harness_set_sink_caps_str(harness_, (scaled ? out : in).c_str());
    gst_harness_set_src_caps_str(harness_, in.c_str());
    gst_harness_set_live(harness_, FALSE);
    const test::Caps parsed(gst_caps_from_string(in.c_str()));
    gst_video_info_from_caps(&info_, parsed.get());
  }
  ~Harness() {
    gst_element_set_bus(harness_->element, nullptr);
    gst_object_unref(bus_);
    gst_harness_teardown(harness_);
  }
  Harness(const Harness&) = delete;
  Harness& operator=(const Harness&) = delete;

  const GstVideoInfo& info() const { return info_; }
  void push(test::Buffer frame) {
    gst_harness_push(harness_, frame.release());
    clear();
  }
  void send_upstream(GstEvent* event) {
    gst_harness_push_upstream_event(harness_, event);
    clear();
  }

 private:
  void clear() {
    while (GstBuffer* out = gst_harness_try_pull(harness_)) gst_buffer_unref(out);
    while (GstEvent* event = gst_harness_try_pull_upstream_event(harness_)) gst_event_unref(event);
    while (GstMessage* message = gst_bus_pop(bus_)) gst_message_unref(message);
  }

  GstHarness* harness_;
  GstBus* bus_;
  GstVideoInfo info_;
};

/// A frame that is still being described.
struct Frame {
  explicit Frame(const GstVideoInfo& info) : bytes(static_cast<size_t>(info.size)) {
    meta.format = GST_VIDEO_INFO_FORMAT(&info);
    meta.width = kWidth, meta.height = kHeight;
    meta.n_planes = GST_VIDEO_INFO_N_PLANES(&info);
    std::copy_n(info.offset, GST_VIDEO_MAX_PLANES, meta.offset);
    std::copy_n(info.stride, GST_VIDEO_MAX_PLANES, meta.stride);
  }

  void set_video(int field, int32_t value) {
    has_meta = true;
    const auto number = static_cast<guint>(value);
    switch (field % 12) {
      case 0:
        meta.width = number;
        break;
      case 1:
        meta.height = number;
        break;
      case 2:
        meta.format = static_cast<GstVideoFormat>(number % 128);
        break;
      case 3:
        meta.n_planes = number % (GST_VIDEO_MAX_PLANES + 1);
        break;
      default:
        if (field % 12 < 8)
          meta.offset[field % 4] = static_cast<gsize>(gssize{value});  // huge if negative
        else
          meta.stride[field % 4] = value;
    }
  }
  void set_memory(int field, int32_t value) {
    if (field % 4 == 0)
      bytes = static_cast<uint16_t>(value);
    else if (field % 4 == 1)
      memories = 1 + static_cast<uint32_t>(value) % 4;
    else
      read_only = field % 4 == 2;
  }
  void set_region(int field, int32_t value) {
    if (regions.empty() || field % 8 >= 4) regions.push_back({0, 0, 16, 16});
    regions.back()[field % 4] = static_cast<guint>(value);
  }

  test::Buffer make() const {
    test::Buffer buffer(gst_buffer_new());
    for (size_t i = 0; i < memories; ++i) add_memory(buffer.get(), bytes / memories);
    if (has_meta) {
      GstVideoMeta* added = gst_buffer_add_video_meta(buffer.get(), GST_VIDEO_FRAME_FLAG_NONE,
                                                      GST_VIDEO_FORMAT_I420, kWidth, kHeight);
      added->format = meta.format;
      added->width = meta.width, added->height = meta.height;
      added->n_planes = meta.n_planes;
      std::copy_n(meta.offset, GST_VIDEO_MAX_PLANES, added->offset);
      std::copy_n(meta.stride, GST_VIDEO_MAX_PLANES, added->stride);
    }
    if (crop) {
      GstVideoCropMeta* added = gst_buffer_add_video_crop_meta(buffer.get());
      added->x = (*crop)[0], added->y = (*crop)[1];
      added->width = (*crop)[2], added->height = (*crop)[3];
    }
    for (const auto& r : regions)
      gst_buffer_add_video_region_of_interest_meta(buffer.get(), "face", r[0], r[1], r[2], r[3]);
    return buffer;
  }

  /// Each memory is a block of its own, so that AddressSanitizer knows where it ends.
  void add_memory(GstBuffer* buffer, size_t size) const {
    auto* block = static_cast<uint8_t*>(g_malloc(std::max<size_t>(size, 1)));
    for (size_t i = 0; i < size; ++i) block[i] = static_cast<uint8_t>(i * 131 / 16);
    const auto flags = read_only ? GST_MEMORY_FLAG_READONLY : GstMemoryFlags(0);
    gst_buffer_append_memory(buffer, gst_memory_new_wrapped(flags, block, std::max<size_t>(size, 1),
                                                            0, size, block, g_free));
  }

  size_t bytes, memories = 1;
  bool read_only = false, has_meta = false;
  GstVideoMeta meta{};
  std::optional<std::array<guint, 4>> crop;
  std::vector<std::array<guint, 4>> regions;
};

double coordinate(int kind, int value) {
  constexpr double kSpecial[] = {NAN, INFINITY, -INFINITY};
  return kind % 4 ? kSpecial[kind % 4 - 1] : value / 16.0;
}

GstEvent* make_click(const Record& record) {
  constexpr const char* kEvents[] = {"mouse-button-press", "touch-down", "mouse-move", "none"};
  GstStructure* s = gst_structure_new("application/x-gst-navigation", "event", G_TYPE_STRING,
                                      kEvents[record.field % 4], "button", G_TYPE_INT, 1, nullptr);
  const int x = static_cast<int16_t>(record.value), y = static_cast<int16_t>(record.value >> 16);
  if (record.field & 64)
    gst_structure_set(s, "pointer_x", G_TYPE_INT, x, "pointer_y", G_TYPE_STRING, "1", nullptr);
  else if (!(record.field & 128))
    gst_structure_set(s, "pointer_x", G_TYPE_DOUBLE, coordinate(record.field >> 2, x), "pointer_y",
                      G_TYPE_DOUBLE, coordinate(record.field >> 4, y), "identifier", G_TYPE_UINT, 1,
                      "pressure", G_TYPE_DOUBLE, 1.0, nullptr);
  return gst_event_new_navigation(s);
}

Harness& harness_for(uint8_t choice) {
  static std::map<int, std::unique_ptr<Harness>> harnesses;
  const int index = choice % (2 * std::size(kFormats));
  auto& harness = harnesses[index];
  if (!harness) harness = std::make_unique<Harness>(kFormats[index / 2], index % 2 == 1);
  return *harness;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  gst_init(argc, argv);
  g_log_set_always_fatal(static_cast<GLogLevelFlags>(G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL));
  // GStreamer warns about each click that has no place.
  g_log_set_handler(
      "GStreamer-Video", G_LOG_LEVEL_WARNING,
      [](const gchar*, GLogLevelFlags, const gchar*, gpointer) {}, nullptr);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  Harness& harness = harness_for(data[0]);
  Frame frame(harness.info());
  int pushed = 0;
  for (size_t at = 1; at + Record::kBytes <= size && pushed < kMostFrames; at += Record::kBytes) {
    const Record record(data + at);
    switch (record.kind) {
      case kVideo:
        frame.set_video(record.field, record.value);
        break;
      case kCrop:
        if (!frame.crop) frame.crop = {0, 0, kWidth, kHeight};
        (*frame.crop)[record.field % 4] = static_cast<guint>(record.value);
        break;
      case kRegion:
        frame.set_region(record.field, record.value);
        break;
      case kMemory:
        frame.set_memory(record.field, record.value);
        break;
      case kPush: {
        test::Buffer buffer = frame.make();
        // The mosaic must not depend on the inputs before this one.
        if (pushed++ == 0) GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_DISCONT);
        if (record.field & 1) GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_GAP);
        harness.push(std::move(buffer));
        frame = Frame(harness.info());
        break;
      }
      case kClick:
        harness.send_upstream(make_click(record));
        break;
    }
  }
  return 0;
}
