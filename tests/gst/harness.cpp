// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/gst/harness.h"

#include <glib/gstdio.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

#include "tests/gst_elements.h"

namespace element_test {
namespace {

// GstHarness reports a live source. The element waits for its pool only if the source is not live,
// so the tests choose what is reported.
constexpr char kLive[] = "live", kQuery[] = "query";

gboolean answer_latency(GstPad* pad, GstObject* parent, GstQuery* query) {
  if (GST_QUERY_TYPE(query) == GST_QUERY_LATENCY) {
    gst_query_set_latency(query, g_object_get_data(G_OBJECT(pad), kLive) != nullptr, 0,
                          GST_CLOCK_TIME_NONE);
    return TRUE;
  }
  const auto harness_query =
      reinterpret_cast<GstPadQueryFunction>(g_object_get_data(G_OBJECT(pad), kQuery));
  return harness_query(pad, parent, query);
}

// Writes a 24-bit BMP, which needs no encoder. `value(x, y, c)`: blue, green and red of a pixel; y
// counts from the bottom.
template <class Value>
void write_bmp(const std::string& path, int width, int height, const Value& value) {
  const uint32_t row = (width * 3 + 3) / 4 * 4, size = 54 + row * height;
  std::vector<uint8_t> bytes(size);
  const auto put = [&](int at, uint32_t number, int count) {
    for (int i = 0; i < count; ++i) bytes[at + i] = static_cast<uint8_t>(number >> (8 * i));
  };
  bytes[0] = 'B', bytes[1] = 'M';
  put(2, size, 4), put(10, 54, 4), put(14, 40, 4);
  put(18, width, 4), put(22, height, 4), put(26, 1, 2), put(28, 24, 2), put(34, row * height, 4);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c)
        bytes[54 + y * row + 3 * x + c] = static_cast<uint8_t>(value(x, y, c));
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(size));
}

}  // namespace

const std::vector<std::vector<std::string>>& format_families() {
  static const std::vector<std::vector<std::string>> families = {
      {"RGB", "BGR", "RGBx", "BGRx", "xRGB", "RGBA", "BGRA", "ARGB", "RGBP", "BGRP", "GBR"},
      {"I420", "YV12", "NV12"},
      {"YUY2", "UYVY"},
      {"Y444"},
      {"GRAY8"}};
  return families;
}

const std::vector<std::string>& deep_formats() {
  static const std::vector<std::string> formats = {"P010_10LE", "P016_LE", "I420_10LE",
                                                   "ARGB64_LE"};
  return formats;
}

TempFolder::TempFolder() {
  gchar* path = g_dir_make_tmp("mosaictemporal-test-XXXXXX", nullptr);
  path_ = path;
  g_free(path);
}

TempFolder::~TempFolder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

Caps video_caps(const std::string& format, int width, int height, const std::string& more) {
  return Caps(gst_caps_from_string(
      ("video/x-raw,format=" + format + ",framerate=25/1,width=" + std::to_string(width) +
       ",height=" + std::to_string(height) + (more.empty() ? "" : "," + more))
          .c_str()));
}

GstVideoInfo video_info(const std::string& format, int width, int height, const std::string& more) {
  GstVideoInfo info;
  EXPECT_TRUE(gst_video_info_from_caps(&info, video_caps(format, width, height, more).get()));
  return info;
}

uint8_t picture_sample(int component, int x, int y, int frame) {
  const int wave = ((x + 3 * frame) / 5 * 40 + y / 7 * 30) % 97;
  return static_cast<uint8_t>(40 + (x * (component + 1) / 2 + y * (3 - component) / 3) % 90 + wave);
}

Buffer make_frame(const GstVideoInfo& info, int frame, int extra_stride) {
  GstVideoInfo layout = info;
  gsize size = 0;
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES(&info); ++p) {
    gint components[GST_VIDEO_MAX_COMPONENTS];
    gst_video_format_info_component(info.finfo, p, components);
    layout.offset[p] = size;
    layout.stride[p] += extra_stride + (extra_stride ? static_cast<int>(p) : 0);
    size +=
        static_cast<gsize>(layout.stride[p]) *
        GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT(info.finfo, components[0], GST_VIDEO_INFO_HEIGHT(&info));
  }
  size = std::max(size, GST_VIDEO_INFO_SIZE(&info));
  Buffer buffer(gst_buffer_new_allocate(nullptr, size, nullptr));
  if (extra_stride)
    gst_buffer_add_video_meta_full(buffer.get(), GST_VIDEO_FRAME_FLAG_NONE,
                                   GST_VIDEO_INFO_FORMAT(&info), GST_VIDEO_INFO_WIDTH(&info),
                                   GST_VIDEO_INFO_HEIGHT(&info), GST_VIDEO_INFO_N_PLANES(&info),
                                   layout.offset, layout.stride);
  GstMapInfo map;
  gst_buffer_map(buffer.get(), &map, GST_MAP_WRITE);
  for (gsize i = 0; i < map.size; ++i) map.data[i] = static_cast<uint8_t>(i * 131 + 7);
  gst_buffer_unmap(buffer.get(), &map);
  {
    Mapped mapped(info, buffer, GST_MAP_READWRITE);
    for (int c = 0; c < std::min(mapped.components(), 3); ++c)
      for (int y = 0; y < mapped.height(c); ++y)
        for (int x = 0; x < mapped.width(c); ++x)
          mapped.set(c, x, y, picture_sample(c, x, y, frame));
  }
  GST_BUFFER_PTS(buffer.get()) = frame * GST_SECOND / 25;
  GST_BUFFER_DURATION(buffer.get()) = GST_SECOND / 25;
  return buffer;
}

Buffer make_flat_frame(const GstVideoInfo& info, uint8_t value) {
  Buffer buffer = make_frame(info);
  Mapped mapped(info, buffer, GST_MAP_READWRITE);
  for (int c = 0; c < std::min(mapped.components(), 3); ++c)
    for (int y = 0; y < mapped.height(c); ++y)
      for (int x = 0; x < mapped.width(c); ++x) mapped.set(c, x, y, value);
  return buffer;
}

std::vector<uint8_t> bytes_of(const Buffer& buffer) {
  std::vector<uint8_t> bytes(gst_buffer_get_size(buffer.get()));
  gst_buffer_extract(buffer.get(), 0, bytes.data(), bytes.size());
  return bytes;
}

Mapped::Mapped(const GstVideoInfo& info, const Buffer& buffer, GstMapFlags flags) {
  EXPECT_TRUE(gst_video_frame_map(&frame_, &info, buffer.get(), flags));
}

uint8_t& Mapped::at(int c, int x, int y) {
  auto* first = static_cast<uint8_t*>(GST_VIDEO_FRAME_COMP_DATA(&frame_, c));
  // GStreamer's table of formats has V of P010 and P016 in the middle of U's sample.
  if (GST_VIDEO_FRAME_COMP_DEPTH(&frame_, c) > 8)
    first += GST_VIDEO_FRAME_COMP_POFFSET(&frame_, c) % 2;
  return first[static_cast<ptrdiff_t>(y) * GST_VIDEO_FRAME_COMP_STRIDE(&frame_, c) +
               static_cast<ptrdiff_t>(x) * GST_VIDEO_FRAME_COMP_PSTRIDE(&frame_, c)];
}

int Mapped::sample(int c, int x, int y) {
  const GstVideoFormatInfo* format = frame_.info.finfo;
  const uint8_t* bytes = &at(c, x, y);
  const int word = GST_VIDEO_FORMAT_INFO_DEPTH(format, c) > 8 ? bytes[0] | bytes[1] << 8 : bytes[0];
  return word >> GST_VIDEO_FORMAT_INFO_SHIFT(format, c);
}

void Mapped::set(int c, int x, int y, uint8_t level) {
  const GstVideoFormatInfo* format = frame_.info.finfo;
  const int depth = GST_VIDEO_FORMAT_INFO_DEPTH(format, c);
  const int value =
      GST_VIDEO_FORMAT_INFO_IS_RGB(format) ? level * 257 >> (16 - depth) : level << (depth - 8);
  const int word = value << GST_VIDEO_FORMAT_INFO_SHIFT(format, c);
  uint8_t* bytes = &at(c, x, y);
  bytes[0] = static_cast<uint8_t>(word);
  if (depth > 8) bytes[1] = static_cast<uint8_t>(word >> 8);
}

std::vector<uint8_t> samples_of(const GstVideoInfo& info, const Buffer& buffer, int component) {
  Mapped mapped(info, buffer);
  const int bytes = GST_VIDEO_INFO_COMP_DEPTH(&info, component) > 8 ? 2 : 1;
  std::vector<uint8_t> samples;
  for (int y = 0; y < mapped.height(component); ++y)
    for (int x = 0; x < mapped.width(component); ++x)
      samples.insert(samples.end(), &mapped.at(component, x, y),
                     &mapped.at(component, x, y) + bytes);
  return samples;
}

Element::Element(bool live) : harness_(gst_harness_new("mosaictemporal")), bus_(gst_bus_new()) {
  GObject* pad = G_OBJECT(harness_->srcpad);
  g_object_set_data(pad, kQuery, reinterpret_cast<gpointer>(GST_PAD_QUERYFUNC(harness_->srcpad)));
  g_object_set_data(pad, kLive, live ? this : nullptr);
  gst_pad_set_query_function(harness_->srcpad, answer_latency);
  gst_element_set_bus(get(), bus_);
  set("size", "48");
}

Element::~Element() {
  gst_element_set_bus(get(), nullptr);
  gst_object_unref(bus_);
  gst_harness_teardown(harness_);
}

bool Element::set_caps(const Caps& caps) {
  // gst_harness_set_src_caps would abort the test if the caps were refused.
  if (!started_) gst_pad_push_event(harness_->srcpad, gst_event_new_stream_start("test"));
  started_ = true;
  gst_pad_push_event(harness_->srcpad, gst_event_new_caps(caps.get()));
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_pad_push_event(harness_->srcpad, gst_event_new_segment(&segment));
  // Pushing a sticky event succeeds even if the peer refuses it.
  GstPad* pad = gst_element_get_static_pad(get(), "sink");
  const Caps current(gst_pad_get_current_caps(pad));
  gst_object_unref(pad);
  return current && gst_caps_is_equal(current.get(), caps.get());
}

void Element::set_sink_caps(const std::string& caps) {
  gst_harness_set_sink_caps_str(harness_, caps.c_str());
}

GstVideoInfo Element::output_info() {
  GstVideoInfo info;
  gst_video_info_init(&info);
  const Caps caps(gst_pad_get_current_caps(harness_->sinkpad));
  EXPECT_TRUE(caps && gst_video_info_from_caps(&info, caps.get()));
  return info;
}

GstFlowReturn Element::push(Buffer buffer) {
  return gst_harness_push(harness_, buffer.release());
}

Buffer Element::process(Buffer buffer) {
  if (push(std::move(buffer)) != GST_FLOW_OK) return nullptr;
  return Buffer(gst_harness_try_pull(harness_));
}

void Element::expect_in_place(Buffer buffer) {
  const GstBuffer* address = buffer.get();
  const GstMemory* memory = gst_buffer_peek_memory(buffer.get(), 0);
  const Buffer out = process(std::move(buffer));
  ASSERT_TRUE(out);
  EXPECT_EQ(out.get(), address);
  EXPECT_EQ(gst_buffer_peek_memory(out.get(), 0), memory);
}

Message Element::pop(int types) {
  while (GstMessage* message = gst_bus_pop(bus_)) messages_.emplace_back(message);
  for (auto it = messages_.begin(); it != messages_.end(); ++it)
    if (GST_MESSAGE_TYPE(it->get()) & types) {
      Message message = std::move(*it);
      messages_.erase(it);
      return message;
    }
  return nullptr;
}

Element::Report Element::pop_report(GstMessageType type) {
  Report report;
  const Message message = pop(type);
  if (!message) return report;
  GError* error = nullptr;
  if (type == GST_MESSAGE_ERROR)
    gst_message_parse_error(message.get(), &error, nullptr);
  else
    gst_message_parse_warning(message.get(), &error, nullptr);
  report = {error->message, error->domain, error->code};
  g_error_free(error);
  return report;
}

Structure Element::stats() {
  GstStructure* structure = nullptr;
  g_object_get(get(), "stats", &structure, nullptr);
  return Structure(structure);
}

void write_photos(const std::string& folder, int count, int side) {
  std::filesystem::create_directories(folder);
  for (int i = 0; i < count; ++i)
    write_bmp(folder + "/photo" + std::to_string(i) + ".bmp", side, side,
              [i](int x, int y, int c) { return i * (37 + 24 * c) + x * 4 * (c + 1) + y * 3; });
}

void write_flat_photo(const std::string& path, const Colour& colour) {
  write_bmp(path, 16, 16, [&](int, int, int c) { return colour[2 - c]; });
}

void write_disc_photo(const std::string& path, int width, int height, double diameter) {
  const auto from_centre = [](int i, int side) { return i + 0.5 - side / 2.0; };
  write_bmp(path, width, height, [&](int x, int y, int) {
    return std::hypot(from_centre(x, width), from_centre(y, height)) < diameter / 2 ? 255 : 0;
  });
}

void write_striped_photo(const std::string& path, int width, int height, int from) {
  write_bmp(path, width, height, [&](int x, int, int) { return x >= from && x / 4 % 2 ? 255 : 0; });
}

bool have_elements(std::initializer_list<const char*> names) {
  return std::all_of(names.begin(), names.end(), test::has_element);
}

bool can_write_video() {
  return have_elements({"jpegenc", "jpegdec", "avimux", "avidemux"});
}

void write_video(const std::string& path, int frames, int width, int height,
                 int frames_per_second) {
  ASSERT_EQ(
      run_pipeline("videotestsrc pattern=ball motion=sweep num-buffers=" + std::to_string(frames) +
                   " ! video/x-raw,format=I420,width=" + std::to_string(width) + ",height=" +
                   std::to_string(height) + ",framerate=" + std::to_string(frames_per_second) +
                   "/1 ! jpegenc ! avimux ! filesink location=\"" + path + "\""),
      "");
}

std::string run_pipeline(const std::string& description, int seconds) {
  GError* error = nullptr;
  GstElement* pipeline = gst_parse_launch(description.c_str(), &error);
  if (error) {
    const std::string text = error->message;
    g_error_free(error);
    if (pipeline) gst_object_unref(pipeline);
    return text;
  }
  std::string text;
  GstBus* bus = gst_element_get_bus(pipeline);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  const Message message(gst_bus_timed_pop_filtered(
      bus, seconds * GST_SECOND, static_cast<GstMessageType>(GST_MESSAGE_ERROR | GST_MESSAGE_EOS)));
  if (!message) {
    text = "no end after " + std::to_string(seconds) + " s";
  } else if (GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_ERROR) {
    gst_message_parse_error(message.get(), &error, nullptr);
    text = error->message;
    g_error_free(error);
  }
  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(bus);
  gst_object_unref(pipeline);
  return text;
}

}  // namespace element_test
