// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/run/run.h"

#include <glib-unix.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "gst/pointers.h"
#include "program/failure.h"
#include "program/input/bitstream_colours.h"
#include "program/pipeline/part.h"
#include "program/pipeline/side_streams.h"
#include "program/places/photo_places.h"
#include "program/run/complaint.h"
#include "program/run/flow_count.h"
#include "program/run/mixed_sound.h"
#include "program/run/reconnection.h"
#include "program/run/signals.h"
#include "program/run/small_cells.h"
#include "program/run/stream_end.h"
#include "program/run/watchdog.h"
#include "program/run/window.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

constexpr guint kInterval = 200;    // milliseconds between looks at the progress
constexpr double kEndPatience = 5;  // seconds without a move while a file is ended
constexpr gint64 kBetweenTries = 2 * G_USEC_PER_SEC;  // to connect again
constexpr gint64 kSameKeys = 2 * G_USEC_PER_SEC;      // Ctrl-C twice in that time counts once

class Runner {
 public:
  Runner(const Plan& plan, const Options& options, Progress& progress)
      : plan_(plan),
        options_(options),
        progress_(progress),
        pipeline_(plan.line.make()),
        watchdog_(pipeline_.get()),
        count_(pipeline_.get()),
        part_(pipeline_.get(), plan.seek.value_or(plan.start)),
        side_streams_(pipeline_.get(),
                      GST_CLOCK_TIME_IS_VALID(plan.end) ? plan.end - plan.start : plan.end),
        window_(pipeline_.get(), options),
        places_(pipeline_.get(), options.places) {
    if (plan.live && options.reconnect > 0 && plan.can_reconnect)
      reconnection_.emplace(pipeline_.get());
    read_colours_in_bitstream(pipeline_.get());
    mosaic_.reset(gst_bin_get_by_name(GST_BIN(pipeline_.get()), "mosaic"));
    loop_ = g_main_loop_new(nullptr, FALSE);
    const Owned<GstPad> pad(gst_element_get_static_pad(mosaic_.get(), "sink"));
    gst_pad_add_probe(pad.get(), GST_PAD_PROBE_TYPE_BUFFER, &Runner::on_frame, this, nullptr);
    const Owned<GstBus> bus(gst_element_get_bus(pipeline_.get()));
    gst_bus_add_watch(bus.get(), &Runner::on_message, this);
    for (const int signal : kEndSignals)
      if (is_noticed(signal))
        sources_.push_back(g_unix_signal_add(signal, &Runner::on_interrupt, this));
    sources_.push_back(g_timeout_add(kInterval, &Runner::on_timer, this));
    if (plan.prepare) plan.prepare(pipeline_.get());
  }
  ~Runner() {
    gst_element_set_state(pipeline_.get(), GST_STATE_NULL);
    gst_bus_remove_watch(Owned<GstBus>(gst_element_get_bus(pipeline_.get())).get());
    if (interrupted_at_ > 0) ignore_end_signals();
    for (const guint source : sources_) g_source_remove(source);
    g_main_loop_unref(loop_);
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  Result run() {
    gst_element_set_state(pipeline_.get(), GST_STATE_PLAYING);
    g_main_loop_run(loop_);
    if (!failure_.empty() && (count_.drawn() == 0 || options_.show)) {
      if (may_pass_) throw TryAgain(failure_);
      throw Failure(failure_);
    }
    return result();
  }

 private:
  static gboolean on_interrupt(gpointer data) {
    auto& self = *static_cast<Runner*>(data);
    const gint64 now = g_get_monotonic_time();
    if (self.interrupted_at_ == 0) {
      self.interrupted_at_ = now;
      self.progress_.say(self.options_.show
                             ? "Stopping …"
                             : "Stopping; the file is being completed (Ctrl-C again: give up) …");
      self.end_stream();
    } else if (now - self.interrupted_at_ > kSameKeys) {
      self.failure_ = "stopped before the file was complete";
      g_main_loop_quit(self.loop_);
    }
    return G_SOURCE_CONTINUE;
  }

  /// Drops frames before Plan::start and after Plan::end, and what decoders still give when the
  /// film is made to end: of pictures that are stored in another order, some between them are
  /// missing. In the streaming thread.
  static GstPadProbeReturn on_frame(GstPad* pad, GstPadProbeInfo* info, gpointer data) {
    auto& self = *static_cast<Runner*>(data);
    if (self.ending_) return GST_PAD_PROBE_DROP;
    if (self.plan_.start == 0 && self.plan_.end == GST_CLOCK_TIME_NONE) return GST_PAD_PROBE_OK;
    GstEvent* event = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0);
    const GstSegment* segment = nullptr;
    if (event) gst_event_parse_segment(event, &segment);
    const GstClockTime stamp = GST_BUFFER_PTS(GST_PAD_PROBE_INFO_BUFFER(info));
    const GstClockTime time =
        segment ? gst_segment_to_stream_time(segment, GST_FORMAT_TIME, stamp) : GST_CLOCK_TIME_NONE;
    // Before its segment a frame has no time. Not all decoders leave such frames out.
    const bool is_before = segment && GST_CLOCK_TIME_IS_VALID(stamp) && stamp < segment->start;
    gst_clear_event(&event);
    if (is_before && self.plan_.start > 0) return GST_PAD_PROBE_DROP;
    if (!GST_CLOCK_TIME_IS_VALID(time)) return GST_PAD_PROBE_OK;
    if (time < self.plan_.start) return GST_PAD_PROBE_DROP;
    if (time < self.plan_.end) return GST_PAD_PROBE_OK;
    self.side_streams_.end_with_video();
    self.enough_ = true;
    return GST_PAD_PROBE_DROP;
  }

  static gboolean on_timer(gpointer data) {
    auto& self = *static_cast<Runner*>(data);
    gint64 position = -1;
    if (!gst_element_query_position(self.mosaic_.get(), GST_FORMAT_TIME, &position)) position = -1;
    const GstClockTime time = position < 0 ? GST_CLOCK_TIME_NONE
                                           : static_cast<GstClockTime>(position) -
                                                 std::min<GstClockTime>(position, self.plan_.start);
    guint64 frames = 0;
    gst_structure_get_uint64(self.stats().get(), "frames", &frames);
    if (frames > 0) self.warn_about_cells();
    if (!self.ending_ && !self.loading_) {
      if (self.plan_.still)
        self.progress_.wait(frames == 0 ? "drawing the mosaic" : "writing the picture");
      else
        self.progress_.update(frames, time);
    }
    if (self.enough_) self.end_stream();
    if (self.window_.is_closed()) self.close();
    self.guard();
    return G_SOURCE_CONTINUE;
  }

  /// Once.
  void warn_about_cells() {
    const std::string warning =
        std::exchange(knows_cells_, true) ? "" : warning_of_small_cells(mosaic_.get());
    if (!warning.empty()) progress_.say("warning: " + warning);
  }

  static gboolean on_message(GstBus*, GstMessage* message, gpointer data) {
    static_cast<Runner*>(data)->read(message);
    return G_SOURCE_CONTINUE;
  }

  /// The user has closed the window.
  void close() {
    enough_ = true;
    g_main_loop_quit(loop_);
  }

  /// Ends what the sources send, so that files are completed.
  void end_stream() {
    if (ending_) return;
    ending_ = true;
    if (reconnection_) {
      // A source that was made later does not pass the end on.
      reconnection_->disconnect();
      finish();
      return;
    }
    side_streams_.end_with_video();
    end_sources(pipeline_.get());
  }

  /// The input is gone: it is tried again for a while, or that is the end.
  void lose(const std::string& why) {
    if (!reconnection_ || ending_ || count_.drawn() == 0) {
      fail(why);
      return;
    }
    const gint64 now = g_get_monotonic_time();
    if (lost_at_ == 0) {
      lost_at_ = now;
      why_lost_ = why;
      progress_.say("warning: " + why + "; trying to connect again …");
    }
    reconnection_->disconnect();
    next_try_ = now + kBetweenTries;
  }

  void connect_again() {
    if (!reconnection_ || ending_) return;
    if (lost_at_ == 0) {
      if (reconnection_->has_ended()) lose(options_.input + " has ended");
      return;
    }
    watchdog_.reset();
    const gint64 now = g_get_monotonic_time();
    if (reconnection_->is_connected()) {
      progress_.say("the connection is back after " +
                    std::to_string((now - lost_at_) / G_USEC_PER_SEC) + " seconds");
      lost_at_ = next_try_ = 0;
    } else if (static_cast<double>(now - lost_at_) > options_.reconnect * G_USEC_PER_SEC) {
      fail(why_lost_);
    } else if (next_try_ != 0 && now >= next_try_) {
      next_try_ = 0;
      reconnection_->connect();
    } else {
      reconnection_->urge();
    }
  }

  /// Ends what stands still.
  void guard() {
    connect_again();
    if (loading_) watchdog_.reset();
    watchdog_.look();
    const double still = watchdog_.intervals() * kInterval / 1000.0;
    if (finishing_) {
      // Nobody knows whether more sound will come.
      if (still >= 1) end_sides();
      if (still >= kEndPatience) g_main_loop_quit(loop_);
    } else if (ending_ && still >= kEndPatience) {
      finish();
    } else if (options_.patience > 0 && still >= options_.patience) {
      gchar time[G_ASCII_DTOSTR_BUF_SIZE];
      may_pass_ = true;
      fail("nothing has moved for " +
           std::string(g_ascii_formatd(time, sizeof time, "%.0f", still)) +
           " seconds: " + watchdog_.what_waits(options_.input));
    }
  }

  void fail(const std::string& why) {
    if (finishing_) return;
    if (failure_.empty()) failure_ = why;
    if (count_.drawn() > 0 && has_muxer())
      finish();
    else
      g_main_loop_quit(loop_);
  }

  bool has_muxer() const {
    return Owned<GstElement>(gst_bin_get_by_name(GST_BIN(pipeline_.get()), "out")) != nullptr;
  }

  /// Brings the file to its end, when nothing more comes from the input, or nothing good.
  void finish() {
    ending_ = finishing_ = true;
    watchdog_.reset();
    side_streams_.end_with_video();
    end_at(Owned<GstPad>(gst_element_get_static_pad(mosaic_.get(), "sink")));
  }

  /// Once.
  void end_sides() {
    if (std::exchange(sides_ended_, true)) return;
    end_beside_video(Owned<GstElement>(gst_bin_get_by_name(GST_BIN(pipeline_.get()), "out")).get());
  }

  void read(GstMessage* message) {
    part_.read(message);
    // Before the first picture, an error is one.
    if (count_.written() > 1 && window_.is_closed_by(message)) {
      close();
      return;
    }
    switch (GST_MESSAGE_TYPE(message)) {
      case GST_MESSAGE_EOS:
        ended_ = true;
        if (plan_.pictures && !ending_ && failure_.empty()) failure_ = plan_.pictures->failure();
        g_main_loop_quit(loop_);
        break;
      case GST_MESSAGE_ERROR:
      case GST_MESSAGE_WARNING:
        read_complaint(message);
        break;
      case GST_MESSAGE_PROGRESS: {
        gchar* told = nullptr;
        GstProgressType type;
        gst_message_parse_progress(message, &type, nullptr, &told);
        const Owned<gchar> text(told);
        loading_ = type == GST_PROGRESS_TYPE_START || type == GST_PROGRESS_TYPE_CONTINUE;
        progress_.prepare(text ? text.get() : "");
        break;
      }
      case GST_MESSAGE_LATENCY:
        gst_bin_recalculate_latency(GST_BIN(pipeline_.get()));
        break;
      case GST_MESSAGE_BUFFERING: {
        gint percent = 100;
        gst_message_parse_buffering(message, &percent);
        // A file is not written in time with a clock, and need not wait for more in advance.
        if (!plan_.live && options_.show)
          gst_element_set_state(pipeline_.get(),
                                percent < 100 ? GST_STATE_PAUSED : GST_STATE_PLAYING);
        break;
      }
      case GST_MESSAGE_CLOCK_LOST:
        gst_element_set_state(pipeline_.get(), GST_STATE_PAUSED);
        gst_element_set_state(pipeline_.get(), GST_STATE_PLAYING);
        break;
      default:
        break;
    }
  }

  void read_complaint(GstMessage* message) {
    const Complaint complaint = to_complaint(message, pipeline_.get(), mosaic_.get(), options_);
    if (complaint.from == Complaint::From::kOutput && complaint.is_error) {
      // No end can be written either.
      if (failure_.empty()) failure_ = complaint.text;
      may_pass_ = true;
      g_main_loop_quit(loop_);
    } else if (complaint.from == Complaint::From::kInput && complaint.is_error) {
      may_pass_ = !complaint.is_about_data;
      lose(complaint.text);
    } else if (complaint.is_error) {
      fail(complaint.text);
    } else {
      if (complaint.is_about_data) count_.complain();
      progress_.say("warning: " + complaint.text);
    }
  }

  Owned<GstStructure> stats() const {
    GstStructure* stats = nullptr;
    g_object_get(mosaic_.get(), "stats", &stats, nullptr);
    return Owned<GstStructure>(stats);
  }

  Result result() {
    warn_about_cells();
    if (const std::string mixed = options_.show ? "" : warning_of_mixed_sound(pipeline_.get());
        !mixed.empty())
      progress_.say("warning: " + mixed);
    Result result = result_of(mosaic_.get());
    if (!plan_.still) progress_.update(result.frames, plan_.duration);
    result.frames_per_second = progress_.frames_per_second();
    result.encoder = plan_.encoder;
    result.interrupted = interrupted_at_ > 0;
    result.sent = count_.drawn();
    gst_element_set_state(pipeline_.get(), GST_STATE_NULL);
    result.photos = places_.use();
    result.ended = ended_;
    result.failure = failure_;
    result.may_pass = may_pass_;
    if (const std::string lost = places_.finish(); !lost.empty()) result.losses.push_back(lost);
    if (failure_.empty()) {
      if (!result.interrupted && !enough_)
        for (std::string& loss : count_.losses(plan_, options_.input))
          result.losses.push_back(std::move(loss));
      for (std::string& loss : count_.unwritten(plan_, options_.output))
        result.losses.push_back(std::move(loss));
    }
    return result;
  }

  const Plan& plan_;
  const Options& options_;
  Progress& progress_;
  Owned<GstElement> pipeline_, mosaic_;
  Watchdog watchdog_;
  FlowCount count_;
  Part part_;
  SideStreams side_streams_;
  Window window_;
  PhotoPlaces places_;
  std::optional<Reconnection> reconnection_;  ///< empty: what is lost is lost
  gint64 lost_at_ = 0, next_try_ = 0;         ///< as interrupted_at_; 0: not
  std::string why_lost_;
  GMainLoop* loop_;
  std::vector<guint> sources_;
  std::string failure_;
  bool may_pass_ = false;             ///< at another time the failure may not happen
  gint64 interrupted_at_ = 0;         ///< of the monotonic clock, microseconds; 0: it was not
  std::atomic<bool> ending_ = false;  ///< the end of the input has been sent, or its loss noticed
  bool finishing_ = false;            ///< the end is sent to what comes after the input
  bool sides_ended_ = false;
  bool ended_ = false;                ///< everything has reached its end
  bool knows_cells_ = false;          ///< warn_about_cells() was called
  bool loading_ = false;              ///< photos
  std::atomic<bool> enough_ = false;  ///< what is before Plan::end has been drawn
};

}  // namespace

Result run(const Plan& plan, const Options& options, Progress& progress) {
  return Runner(plan, options, progress).run();
}

}  // namespace mosaic_program
