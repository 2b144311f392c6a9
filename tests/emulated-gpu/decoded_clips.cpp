// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/decoded_clips.h"

#include <gst/app/gstappsink.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace emulated_gpu {
namespace {

constexpr int kLongestWait = 60;  // seconds

GstElement* launch(const std::string& description) {
  GError* error = nullptr;
  GstElement* pipeline = gst_parse_launch(description.c_str(), &error);
  if (error) throw std::runtime_error(description + ": " + error->message);
  return pipeline;
}

Error read_error(GstMessage* message) {
  GError* error = nullptr;
  gchar* debug = nullptr;
  gst_message_parse_error(message, &error, &debug);
  Error read{GST_OBJECT_NAME(GST_MESSAGE_SRC(message)),
             std::string(error->message) + " (" + (debug ? debug : "") + ")"};
  g_error_free(error);
  g_free(debug);
  return read;
}

std::string encoder(const Clip& clip) {
  if (clip.codec == "h264")
    return "x264enc threads=1 speed-preset=veryfast bitrate=400 " +
           (clip.encoder.empty()
                ? "bframes=3 b-adapt=false b-pyramid=true ref=4 dct8x8=true key-int-max=16"
                : clip.encoder);
  return "x265enc speed-preset=veryfast bitrate=400 option-string=" +
         (clip.encoder.empty() ? "bframes=3:b-adapt=0:b-pyramid=1:ref=4:keyint=16" : clip.encoder);
}

}  // namespace

void expect_equal(const std::vector<Picture>& wanted, const std::vector<Picture>& got) {
  EXPECT_EQ(wanted.size(), got.size());
  for (std::size_t i = 0; i < std::min(wanted.size(), got.size()); ++i)
    ASSERT_TRUE(wanted[i] == got[i])
        << "picture " << i << ": " << got[i].width << "x" << got[i].height << " at "
        << got[i].pts / GST_MSECOND << " ms, wanted " << wanted[i].width << "x" << wanted[i].height
        << " at " << wanted[i].pts / GST_MSECOND << " ms";
}

std::string decode(const std::string& clip, const std::string& decoder) {
  const std::string demuxer = clip.ends_with(".mp4") ? " ! qtdemux" : "";
  const std::string codec = clip.find(".h265") != clip.npos ? "h265" : "h264";
  return "filesrc location=" + clip + demuxer + " ! " + codec + "parse ! " + decoder;
}

bool has_property(const std::string& element, const char* property) {
  GstElement* made = gst_element_factory_make(element.c_str(), nullptr);
  const bool found = made && g_object_class_find_property(G_OBJECT_GET_CLASS(made), property);
  gst_clear_object(&made);
  return found;
}

std::string missing_elements(const std::string& codec) {
  std::string missing;
  for (const std::string& name :
       {std::string(codec == "h264" ? "x264enc" : "x265enc"), codec + "parse", "avdec_" + codec,
        std::string("qtmux"), std::string("qtdemux"), std::string("videotestsrc"),
        std::string("coloreffects")})
    if (!has_element(name)) missing += " " + name;
  return missing.empty() ? "" : "GStreamer has no" + missing;
}

Clips::Clips() {
  std::string name = std::filesystem::temp_directory_path() / "clips-XXXXXX";
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  folder_ = name;
}

Clips::~Clips() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Clips::next_name(const std::string& suffix) {
  files_.push_back(folder_ + "/" + std::to_string(files_.size()) + suffix);
  return files_.back();
}

std::string Clips::make(const Clip& clip, bool raw) {
  const std::string name = next_name("." + clip.codec + (raw ? "" : ".mp4"));
  // The pattern is grey, which would not show mistakes in chroma.
  GstElement* pipeline =
      launch("videotestsrc pattern=zone-plate kx2=12 ky2=9 kt=4 num-buffers=" +
             std::to_string(clip.frames) + " ! video/x-raw,framerate=25/1,width=" +
             std::to_string(clip.width) + ",height=" + std::to_string(clip.height) +
             " ! coloreffects preset=heat ! videoconvert ! video/x-raw,format=I420 ! " +
             encoder(clip) + " ! " + clip.codec + "parse" +
             (raw ? " config-interval=-1 ! video/x-" + clip.codec +
                        ",stream-format=byte-stream,alignment=au"
                  : " ! qtmux") +
             " ! filesink location=" + name);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  GstBus* bus = gst_element_get_bus(pipeline);
  const test::Message message(
      gst_bus_timed_pop_filtered(bus, kLongestWait * GST_SECOND,
                                 static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR)));
  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(bus);
  gst_object_unref(pipeline);
  if (!message || GST_MESSAGE_TYPE(message.get()) != GST_MESSAGE_EOS)
    throw std::runtime_error("no clip was made");
  return name;
}

std::string Clips::join(const std::vector<std::string>& files) {
  const std::string name = next_name(std::filesystem::path(files.front()).extension());
  std::ofstream whole(name, std::ios::binary);
  for (const std::string& file : files) whole << std::ifstream(file, std::ios::binary).rdbuf();
  return name;
}

Player::Player(const std::string& elements)
    : pipeline_(launch(elements + " ! appsink name=out sync=false max-buffers=4")),
      sink_(gst_bin_get_by_name(GST_BIN(pipeline_), "out")),
      bus_(gst_element_get_bus(pipeline_)) {
  gst_element_set_state(pipeline_, GST_STATE_PLAYING);
}

Player::~Player() {
  stop();
  gst_object_unref(bus_);
  gst_object_unref(sink_);
  gst_object_unref(pipeline_);
}

Buffer Player::take_buffer(GstVideoInfo* info) {
  // Errors come over the bus, without an end of the stream at the sink.
  for (int tenths = 0; tenths < kLongestWait * 10; ++tenths) {
    GstSample* sample = gst_app_sink_try_pull_sample(GST_APP_SINK(sink_), 100 * GST_MSECOND);
    if (sample) {
      gst_video_info_from_caps(info, gst_sample_get_caps(sample));
      Buffer buffer(gst_buffer_ref(gst_sample_get_buffer(sample)));
      gst_sample_unref(sample);
      return buffer;
    }
    read_bus();
    ended = gst_app_sink_is_eos(GST_APP_SINK(sink_));
    if (ended || !errors.empty()) return nullptr;
  }
  ADD_FAILURE() << "nothing came for " << kLongestWait << " s";
  return nullptr;
}

std::vector<Picture> Player::take(std::size_t count) {
  std::vector<Picture> pictures;
  while (pictures.size() < count) {
    GstVideoInfo info;
    const Buffer buffer = take_buffer(&info);
    if (!buffer) break;
    pictures.push_back(
        {GST_BUFFER_PTS(buffer.get()), info.width, info.height, visible_bytes(info, buffer)});
    EXPECT_FALSE(pictures.back().bytes.empty());
  }
  return pictures;
}

void Player::seek(GstClockTime to) {
  EXPECT_TRUE(gst_element_seek_simple(
      pipeline_, GST_FORMAT_TIME,
      static_cast<GstSeekFlags>(GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE),
      static_cast<gint64>(to)));
  ended = false;
}

void Player::set_caps(const char* name, const char* caps) {
  GstElement* filter = gst_bin_get_by_name(GST_BIN(pipeline_), name);
  GstCaps* wanted = gst_caps_from_string(caps);
  g_object_set(filter, "caps", wanted, nullptr);
  gst_caps_unref(wanted);
  gst_object_unref(filter);
}

bool Player::stop() {
  const bool stopped = gst_element_set_state(pipeline_, GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS;
  read_bus();
  return stopped;
}

void Player::read_bus() {
  while (GstMessage* popped = gst_bus_pop_filtered(bus_, GST_MESSAGE_ERROR)) {
    const test::Message message(popped);
    errors.push_back(read_error(popped));
  }
}

std::vector<Picture> play(const std::string& elements) {
  Player player(elements);
  std::vector<Picture> pictures = player.take();
  EXPECT_TRUE(player.ended);
  EXPECT_TRUE(player.stop());
  for (const Error& error : player.errors) ADD_FAILURE() << error.from << ": " << error.text;
  return pictures;
}

}  // namespace emulated_gpu
