// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "gst/element/held_frames.h"
#include "gst/element/painter.h"
#include "gst/element/timing.h"
#include "gst/element/upstream.h"
#include "gst/memory/gpu.h"
#include "gst/memory/spare_frames.h"
#include "gst/messages/shown_mosaic.h"
#include "gst/messages/stats.h"
#include "gst/properties/properties.h"
#include "gst/stream/packet_output.h"

namespace mosaic_gst {

/// The state of an instance of the element.
struct ElementState {
  explicit ElementState(GstBaseTransform* element)
      : gpu(GST_ELEMENT(element)),
        timing(element),
        painter(GST_ELEMENT(element), gpu, [this](const Refusal& refusal) {
          change_settings([&](Settings& mine) { mine.take_back(refusal); });
        }) {}

  std::mutex setting;  ///< held while a property is set, which may read a file
  /// Guards settings, stats, shown, in_format and out_format; held only to copy them.
  std::mutex mutex;
  /// Replaced as a whole, never modified, because frames may still use the object.
  std::shared_ptr<const Settings> settings = std::make_shared<Settings>();
  StreamStats stats;
  ShownMosaic shown;                       ///< the mosaic of the last frame
  GstVideoInfo in_format{}, out_format{};  ///< set by the last caps

  /// The flow return with which every frame is refused after an error, until a flush, the next
  /// start or the setting of a property; GST_FLOW_OK: none is refused. Any thread may set it to
  /// GST_FLOW_OK. (The type Refusal is about settings, not frames.)
  std::atomic<GstFlowReturn> refusal = GST_FLOW_OK;

  Gpu gpu;        ///< the class says which threads may call it
  Timing timing;  ///< as above

  // Only the streaming thread uses the members below. It alone writes in_format and out_format.
  Painter painter;
  bool negotiated = false;
  bool on_gpu = false;  ///< whether frames are in a GPU's memory
  /// Posted as an error by the next frame. Refusing caps would not end the stream, because upstream
  /// would send them again.
  std::exception_ptr failure;
  PacketOutput packets;
  SpareFrames spare;
  HeldFrames held;
  std::vector<Painter::Frame> later_frames;  ///< a member only so that its memory is reused
  std::optional<Decoder> decoder;            ///< upstream
  /// The settings that a frame is drawn with: those when it arrived or, if it was held back, when
  /// its turn came. Null before the first frame.
  std::shared_ptr<const Settings> generation;
  /// The engine's settings for the frame that arrived last, and what they were made from.
  std::shared_ptr<const mosaic::FrameSettings> frame_settings;
  std::shared_ptr<const Settings> frame_settings_source;
  int64_t frame_settings_budget = 0;                           ///< nanoseconds
  GstClockTime frame_settings_duration = GST_CLOCK_TIME_NONE;  ///< Timing::frame_duration()

  std::shared_ptr<const Settings> current_settings() {
    const std::lock_guard lock(mutex);
    return settings;
  }
  /// Replaces the settings by a changed copy. May be called from any thread.
  void change_settings(const std::function<void(Settings&)>& change) {
    const std::lock_guard one_at_a_time(setting);
    const auto changed = std::make_shared<Settings>(*current_settings());
    change(*changed);
    const std::lock_guard lock(mutex);
    settings = changed;
  }
  ShownMosaic current_mosaic() {
    const std::lock_guard lock(mutex);
    return shown;
  }
  void show(ShownMosaic mosaic) {
    const std::lock_guard lock(mutex);
    std::swap(shown, mosaic);  // the old one is destroyed after the lock is released
  }
  /// Drops all held frames. @param then what those to come are refused with; GST_FLOW_OK: nothing
  void drop_frames(GstFlowReturn then) {
    held.clear();
    refusal = then;
  }
};

/// The state of an element, and GstBaseTransform's own virtual methods, for what the element leaves
/// to them.
ElementState& state_of(gpointer element);
GstBaseTransformClass* base_class();

}  // namespace mosaic_gst
