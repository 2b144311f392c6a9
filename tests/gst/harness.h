// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Shared by the element's tests: an element in a GstHarness, synthetic pictures, temporary
/// folders.
#pragma once

#include <gst/check/gstharness.h>
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "tests/gst_pointers.h"

namespace element_test {

using test::Buffer;
using test::Caps;
using test::ElementPtr;
using test::Message;
using test::Structure;

/// Every format of the element, in groups of formats that can hold the same samples.
const std::vector<std::vector<std::string>>& format_families();

/// Formats of more than 8 bits.
const std::vector<std::string>& deep_formats();

/// A temporary folder, removed by the destructor.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  std::string path(const std::string& name = {}) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// Caps of progressive video at 25 frames a second; `more` is appended ("colorimetry=bt709").
Caps video_caps(const std::string& format, int width, int height, const std::string& more = {});
GstVideoInfo video_info(const std::string& format, int width, int height,
                        const std::string& more = {});

/// Sample (x, y) of component c of the test picture, in samples of that component; the picture
/// moves with `frame`.
uint8_t picture_sample(int component, int x, int y, int frame);

/// A frame that holds the test picture. Bytes that belong to no sample hold another pattern.
/// @param extra_stride if not 0, plane p's stride is this + p bytes longer, in a GstVideoMeta, too
Buffer make_frame(const GstVideoInfo& info, int frame = 0, int extra_stride = 0);

/// A frame whose samples, except alpha, are all `value`.
Buffer make_flat_frame(const GstVideoInfo& info, uint8_t value);

/// All bytes of a buffer.
std::vector<uint8_t> bytes_of(const Buffer& buffer);

/// A mapped frame.
class Mapped {
 public:
  Mapped(const GstVideoInfo& info, const Buffer& buffer, GstMapFlags flags = GST_MAP_READ);
  ~Mapped() { gst_video_frame_unmap(&frame_); }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  GstVideoFrame* get() { return &frame_; }
  int components() const { return static_cast<int>(GST_VIDEO_FRAME_N_COMPONENTS(&frame_)); }
  /// Size of a component in samples.
  int width(int component) const { return GST_VIDEO_FRAME_COMP_WIDTH(&frame_, component); }
  int height(int component) const { return GST_VIDEO_FRAME_COMP_HEIGHT(&frame_, component); }
  /// The first byte of a sample.
  uint8_t& at(int component, int x, int y);
  /// A sample, in its full depth.
  int sample(int component, int x, int y);
  /// Gives a sample the value that means `level` of 255 where there are 8 bits.
  void set(int component, int x, int y, uint8_t level);

 private:
  GstVideoFrame frame_;
};

/// All visible samples of a component, row by row; samples of more than 8 bits are two bytes each.
std::vector<uint8_t> samples_of(const GstVideoInfo& info, const Buffer& buffer, int component);

/// The element between two pads of a test, with a bus. Upstream is live only if the test says so.
class Element {
 public:
  explicit Element(bool live = false);
  ~Element();
  Element(const Element&) = delete;
  Element& operator=(const Element&) = delete;

  GstHarness* harness() { return harness_; }
  GstElement* get() { return harness_->element; }

  template <class... Args>
  void set(const char* first, Args... rest) {
    g_object_set(get(), first, rest..., nullptr);
  }

  /// Sends caps; returns whether the element accepted them.
  bool set_caps(const Caps& caps);
  /// Sets the caps that downstream accepts.
  void set_sink_caps(const std::string& caps);
  /// The caps on the source pad.
  GstVideoInfo output_info();

  GstFlowReturn push(Buffer buffer);
  /// Pushes a frame and takes the one that comes out; null if the flow is not OK.
  Buffer process(Buffer buffer);

  /// Pushes a frame and expects the same buffer, in the same memory, to come out.
  void expect_in_place(Buffer buffer);

  /// The next message of these types on the bus; null if there is none.
  Message pop(int types);
  /// The text of the first error or warning on the bus, and its domain and code.
  struct Report {
    std::string text;
    GQuark domain = 0;
    int code = 0;
  };
  Report pop_report(GstMessageType type);
  Structure stats();
  template <class T>
  T stat(const char* field) {
    T value{};
    const Structure s = stats();
    gst_structure_get(s.get(), field, gst_structure_get_field_type(s.get(), field), &value,
                      nullptr);
    return value;
  }

 private:
  GstHarness* harness_;
  GstBus* bus_;
  bool started_ = false;
  std::list<Message> messages_;  ///< taken off the bus, not yet returned by pop()
};

/// Writes a folder of small PNG photos of different colours.
void write_photos(const std::string& folder, int count, int side = 16);

using Colour = std::array<uint8_t, 3>;  ///< R, G, B
/// Writes a photo of one colour, a BMP.
void write_flat_photo(const std::string& path, const Colour& colour);

/// Writes a photo of a white disc, centred, on black, a BMP.
void write_disc_photo(const std::string& path, int width, int height, double diameter);
/// Writes a black photo with upright white stripes of 4 pixels from column `from` on, a BMP.
void write_striped_photo(const std::string& path, int width, int height, int from);

/// Whether all these elements are installed.
bool have_elements(std::initializer_list<const char*> names);

/// Whether the elements that write_video() needs are installed.
bool can_write_video();
#define SKIP_WITHOUT_VIDEO()            \
  if (!element_test::can_write_video()) \
  GTEST_SKIP() << "this GStreamer has no jpegenc, jpegdec, avimux or avidemux"

/// Writes a video whose frames are all different: motion JPEG in AVI.
void write_video(const std::string& path, int frames, int width = 64, int height = 48,
                 int frames_per_second = 25);

/// Runs a pipeline until it ends or `seconds` have passed.
/// @return the error it ended with; empty at the end of the stream
std::string run_pipeline(const std::string& description, int seconds = 60);

}  // namespace element_test
