// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "gst/element/live_pace.h"
#include "gst/element/painter.h"
#include "gst/element/upstream.h"
#include "gst/messages/shown_mosaic.h"
#include "gst/messages/stats.h"
#include "gst/properties/properties.h"

namespace mosaic_gst {

/// The state of an instance of the element, apart from that of its base classes.
struct ElementState {
  explicit ElementState(GstElement* element)
      : painter(element, [this](const auto& change) { change_settings(change); }) {}

  std::mutex setting;  ///< held while a property is set, which may read a file
  std::mutex mutex;    ///< guards settings, stats and shown; held only to copy them
  /// Replaced as a whole, never modified, because held frames may still use the object.
  std::shared_ptr<const Settings> settings = std::make_shared<Settings>();
  StreamStats stats;
  ShownMosaic shown;  ///< the mosaic of the last frame

  // Only the streaming thread uses the members below.
  Painter painter;
  GstClockTime last_pts = GST_CLOCK_TIME_NONE;  ///< of the frame that arrived last
  LivePace pace;
  std::atomic<GstClockTime> latency = 0;       ///< for drawing, as last told
  int economy = 0;                             ///< that frame_settings were made with
  std::optional<bool> live;                    ///< whether upstream is live; nullopt: not known yet
  std::optional<GstClockTime> frame_duration;  ///< nullopt: the caps have no frame rate
  Place place;                                 ///< set by the last caps
  std::optional<Decoder> decoder;
  /// The engine's settings for the frame that arrived last, and what they were made from.
  std::shared_ptr<const mosaic::FrameSettings> frame_settings;
  std::shared_ptr<const Settings> frame_settings_source;
  std::vector<Painter::Frame> later_frames;  ///< a member only so that its memory is reused

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
};

}  // namespace mosaic_gst
