// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/film/film_pass.h"

#include <algorithm>
#include <optional>

#include "gst/pointers.h"
#include "mosaic/base/error.h"
#include "program/failure.h"
#include "program/farm/film/mapped_frames.h"
#include "program/farm/film/scene_watch.h"
#include "program/farm/job/resolved_settings.h"
#include "program/options/element_value.h"
#include "program/pipeline/plan.h"
#include "program/run/run.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

constexpr gint64 kInterval = G_USEC_PER_SEC / 2;  // between looks at the progress

int number_in(GstElement* mosaic, const char* property) {
  return std::stoi(ElementValue(mosaic, property).text());
}

mosaic::WindowOptions windows_of(GstElement* mosaic) {
  const std::string preset = ElementValue(mosaic, "window-preset").text();
  const auto words = mosaic::window_preset_words();
  const auto at = std::find(words.begin(), words.end(), preset) - words.begin();
  mosaic::WindowOptions windows =
      mosaic::window_options(static_cast<mosaic::WindowPreset>(at), 0, 0, 0);
  windows.size = windows.overlap = 0;  // pictures are not cut
  if (const int frames = number_in(mosaic, "window-frames"); frames >= 0) windows.frames = frames;
  if (const int overlap = number_in(mosaic, "window-frames-overlap"); overlap >= 0)
    windows.frames_overlap = overlap;
  try {
    check_windows(windows);
  } catch (const mosaic::Error& error) {
    throw WrongUsage(error.what());
  }
  return windows;
}

SceneWatch::Options scenes_of(GstElement* mosaic) {
  SceneWatch::Options options;
  options.threshold =
      g_ascii_strtod(ElementValue(mosaic, "scene-threshold").text().c_str(), nullptr);
  const std::string size = ElementValue(mosaic, "flow-size").text();
  std::sscanf(size.c_str(), "%dx%d", &options.columns, &options.rows);
  return options;
}

/// Notes each frame that reaches the element.
class Notes {
 public:
  explicit Notes(Progress& progress) : progress_(progress) {}
  Notes(const Notes&) = delete;
  Notes& operator=(const Notes&) = delete;

  void attach(GstElement* pipeline) {
    const Owned<GstElement> mosaic(gst_bin_get_by_name(GST_BIN(pipeline), "mosaic"));
    found_.settings = resolved_settings(mosaic.get());
    found_.windows = windows_of(mosaic.get());
    found_.lookahead = number_in(mosaic.get(), "lookahead");
    every_frame_cut_ = ElementValue(mosaic.get(), "coherence").text() == "none";
    watch_.emplace(scenes_of(mosaic.get()));
    const Owned<GstPad> sink(gst_element_get_static_pad(mosaic.get(), "sink"));
    gst_pad_add_probe(sink.get(), GST_PAD_PROBE_TYPE_BUFFER, &Notes::on_frame, this, nullptr);
  }

  /// To be called when the pipeline has ended.
  FilmPass found() {
    if (goes_back_)
      throw Failure("the times of its frames go back, so that parts cannot be found in it");
    if (is_unreadable_) throw Failure("its frames have no times, or cannot be read");
    if (found_.film.empty()) throw Failure("it has no frames");
    return std::move(found_);
  }

 private:
  static GstPadProbeReturn on_frame(GstPad* pad, GstPadProbeInfo* info, gpointer data) {
    auto& self = *static_cast<Notes*>(data);
    const bool is_first = self.found_.film.empty();
    self.note(pad, GST_PAD_PROBE_INFO_BUFFER(info));
    return is_first ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
  }

  void note(GstPad* pad, GstBuffer* buffer) {
    const Owned<GstEvent> event(gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0));
    const GstSegment* segment = nullptr;
    if (event) gst_event_parse_segment(event.get(), &segment);
    GstVideoFrame picture;
    if (!segment || !GST_BUFFER_PTS_IS_VALID(buffer) || !mapper_.map(pad, buffer, picture)) {
      is_unreadable_ = true;
      return;
    }
    const GstClockTime stamp = GST_BUFFER_PTS(buffer);
    FilmFrame frame{.time = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, stamp),
                    .shown = gst_segment_to_running_time(segment, GST_FORMAT_TIME, stamp),
                    .hash = hash_of_frame(picture)};
    const mosaic::SceneUpdate scene = watch_->look_at(picture);
    gst_video_frame_unmap(&picture);
    frame.cut = scene.keyframe() || every_frame_cut_;
    frame.returned = scene.returned != 0;
    frame.change = watch_->change();
    add(frame, GST_BUFFER_DURATION(buffer));
  }

  void add(const FilmFrame& frame, GstClockTime duration) {
    std::vector<FilmFrame>& film = found_.film;
    if (!GST_CLOCK_TIME_IS_VALID(frame.time) || !GST_CLOCK_TIME_IS_VALID(frame.shown))
      is_unreadable_ = true;
    if (!film.empty() && (frame.time <= film.back().time || frame.shown <= film.back().shown))
      goes_back_ = true;
    // If nothing says for how long the last frame is shown, it is as long as the one before.
    if (!GST_CLOCK_TIME_IS_VALID(duration) || duration == 0)
      duration = film.empty() ? 0 : frame.shown - film.back().shown;
    found_.duration = frame.shown + duration;
    film.push_back(frame);
    if (const gint64 now = g_get_monotonic_time(); now - told_at_ > kInterval) {
      told_at_ = now;
      progress_.prepare("looking for cuts: " + clock_text(frame.shown));
    }
  }

  Progress& progress_;
  FrameMapper mapper_;
  std::optional<SceneWatch> watch_;
  FilmPass found_;
  bool every_frame_cut_ = false, goes_back_ = false, is_unreadable_ = false;
  gint64 told_at_ = 0;
};

}  // namespace

FilmPass look_through(const Options& options, Progress& progress) {
  Plan plan = make_plan(options, "/dev/null");
  for (const std::string& notice : plan.notices) progress.say(notice);
  progress.prepare("preparing photos");
  Notes notes(progress);
  plan.prepare = [&](GstElement* pipeline) { notes.attach(pipeline); };
  const std::string encoder = std::exchange(plan.encoder, "");  // one frame reaches it
  Progress silent(true, GST_CLOCK_TIME_NONE);  // that of the run counts frames that are drawn
  const Result result = run(plan, options, silent);
  if (!result.failure.empty() && result.may_pass) throw TryAgain(result.failure);
  if (!result.failure.empty()) throw Failure(result.failure);
  FilmPass pass;
  pass.interrupted = result.interrupted;
  if (pass.interrupted) return pass;
  try {
    pass = notes.found();
  } catch (const Failure& failure) {
    throw Failure(options.input + ": " + failure.what());
  }
  pass.encoder = encoder;
  pass.losses = result.losses;
  return pass;
}

}  // namespace mosaic_program
