// SPDX-License-Identifier: LGPL-2.1-or-later
/// Pipelines with NVIDIA's encoder, which has threads of its own, and the fixture of their tests.
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "tests/emulated-gpu/driver_functions.h"
#include "tests/emulated-gpu/libnvidia-encode/control.h"
#include "tests/gst_pointers.h"

namespace emulated_gpu {

/// A frame that reached the sink.
struct Frame {
  int width, height;  ///< in pixels
  GstClockTime time;  ///< running time; encoders shift timestamps, because decoding begins earlier
  GstClockTime duration;
  std::vector<unsigned char> bytes;  ///< visible_bytes()
};

/// A pipeline, described as for gst-launch. Elements with these names are used:
/// - `in`, an appsrc, which takes the frames of push() while the pipeline plays;
/// - `passed`, whose buffers are counted for wait_until_passed();
/// - `out`, an appsink of raw video, which keeps its frames for take().
class Pipeline {
 public:
  explicit Pipeline(const std::string& description);
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  bool play();
  /// Pushes a frame whose content follows from its number, and which lasts 40 ms.
  void push(const GstVideoInfo& info, int number);
  void end_stream();
  /// A flushing seek to the start.
  bool seek();
  /// Waits for a frame; the vector is empty if the stream ends, there is an error or a minute
  /// passes without a frame.
  std::vector<Frame> take();
  /// Waits until as many buffers have left `passed`; false if a minute passes.
  bool wait_until_passed(int buffers);
  /// Waits for the end of the stream; false if an error or a minute comes first.
  bool wait_for_end();
  /// Sets the pipeline to NULL. Returns whether that succeeded.
  bool stop();
  /// Calls take() until the stream ends.
  std::vector<Frame> take_all();

  /// The errors posted until now, each as "element: text".
  const std::vector<std::string>& errors();
  test::ElementPtr find(const char* name);

 private:
  void note(GstMessage* message);

  GstElement* pipeline_;
  GstBus* bus_;
  GstElement *in_, *out_;
  std::atomic<int> passed_{0};
  std::vector<std::string> errors_;
};

/// The frame that push() pushes.
test::Buffer make_frame(const GstVideoInfo& info, int number);

/// A fixture that skips where elements are missing, and in which everything must be released. The
/// parameter says whether the mode is deferred.
class Encoder : public testing::Test {
 protected:
  void start(bool deferred);
  void TearDown() override;

 private:
  EmulatedNvencCounts before_{};
};

EmulatedNvencCounts encoder_counts();

}  // namespace emulated_gpu
