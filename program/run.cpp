// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/run.h"

#include <glib-unix.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <memory>
#include <utility>

#include "program/failure.h"
#include "program/pipeline/part.h"
#include "program/pipeline/side_streams.h"
#include "program/small_cells.h"

namespace mosaic_program {
namespace {

constexpr guint kInterval = 200;  // milliseconds between looks at the progress

struct Unref {
  void operator()(gpointer object) const { gst_object_unref(object); }
};
using Element = std::unique_ptr<GstElement, Unref>;

struct Free {
  void operator()(GstStructure* structure) const { gst_structure_free(structure); }
};
using Structure = std::unique_ptr<GstStructure, Free>;

class Runner {
 public:
  Runner(const Plan& plan, const Options& options, Progress& progress)
      : plan_(plan),
        options_(options),
        progress_(progress),
        pipeline_(plan.line.make()),
        part_(pipeline_.get(), plan.start),
        side_streams_(pipeline_.get()) {
    mosaic_.reset(gst_bin_get_by_name(GST_BIN(pipeline_.get()), "mosaic"));
    loop_ = g_main_loop_new(nullptr, FALSE);
    GstPad* pad = gst_element_get_static_pad(mosaic_.get(), "sink");
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, &Runner::on_frame, this, nullptr);
    gst_object_unref(pad);
    GstBus* bus = gst_element_get_bus(pipeline_.get());
    gst_bus_add_watch(bus, &Runner::on_message, this);
    gst_object_unref(bus);
    sources_ = {g_unix_signal_add(SIGINT, &Runner::on_interrupt, this),
                g_unix_signal_add(SIGTERM, &Runner::on_interrupt, this),
                g_timeout_add(kInterval, &Runner::on_timer, this)};
  }
  ~Runner() {
    gst_element_set_state(pipeline_.get(), GST_STATE_NULL);
    GstBus* bus = gst_element_get_bus(pipeline_.get());
    gst_bus_remove_watch(bus);
    gst_object_unref(bus);
    for (const guint source : sources_) g_source_remove(source);
    g_main_loop_unref(loop_);
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  Result run() {
    gst_element_set_state(pipeline_.get(), GST_STATE_PLAYING);
    g_main_loop_run(loop_);
    if (!failure_.empty()) throw Failure(failure_);
    return result();
  }

 private:
  static gboolean on_interrupt(gpointer data) {
    auto& self = *static_cast<Runner*>(data);
    if (self.interrupted_) {
      self.fail("stopped");
    } else {
      self.interrupted_ = true;
      self.progress_.say(self.options_.show
                             ? "Stopping …"
                             : "Stopping; the file is being completed (Ctrl-C again: give up) …");
      self.end_stream();
    }
    return G_SOURCE_CONTINUE;
  }

  /// Drops frames before Plan::start and after Plan::end. In the streaming thread.
  static GstPadProbeReturn on_frame(GstPad* pad, GstPadProbeInfo* info, gpointer data) {
    auto& self = *static_cast<Runner*>(data);
    if (self.plan_.start == 0 && self.plan_.end == GST_CLOCK_TIME_NONE) return GST_PAD_PROBE_REMOVE;
    GstEvent* event = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0);
    const GstSegment* segment = nullptr;
    if (event) gst_event_parse_segment(event, &segment);
    const GstClockTime time =
        segment ? gst_segment_to_stream_time(segment, GST_FORMAT_TIME,
                                             GST_BUFFER_PTS(GST_PAD_PROBE_INFO_BUFFER(info)))
                : GST_CLOCK_TIME_NONE;
    gst_clear_event(&event);
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

  /// Ends what the sources send, so that files are completed.
  void end_stream() {
    if (ending_) return;
    ending_ = true;
    side_streams_.end_with_video();
    GstIterator* sources = gst_bin_iterate_sources(GST_BIN(pipeline_.get()));
    gst_iterator_foreach(
        sources,
        [](const GValue* value, gpointer) {
          auto* source = static_cast<GstElement*>(g_value_get_object(value));
          if (g_strcmp0(GST_OBJECT_NAME(source), kSubtitleSource) != 0)
            gst_element_send_event(source, gst_event_new_eos());
        },
        nullptr);
    gst_iterator_free(sources);
  }

  void fail(const std::string& why) {
    if (failure_.empty()) failure_ = why;
    g_main_loop_quit(loop_);
  }

  void read(GstMessage* message) {
    part_.read(message);
    switch (GST_MESSAGE_TYPE(message)) {
      case GST_MESSAGE_EOS:
        g_main_loop_quit(loop_);
        break;
      case GST_MESSAGE_ERROR:
      case GST_MESSAGE_WARNING:
        read_complaint(message);
        break;
      case GST_MESSAGE_PROGRESS: {
        gchar* text = nullptr;
        GstProgressType type;
        gst_message_parse_progress(message, &type, nullptr, &text);
        loading_ = type == GST_PROGRESS_TYPE_START || type == GST_PROGRESS_TYPE_CONTINUE;
        progress_.prepare(text ? text : "");
        g_free(text);
        break;
      }
      case GST_MESSAGE_LATENCY:
        gst_bin_recalculate_latency(GST_BIN(pipeline_.get()));
        break;
      case GST_MESSAGE_BUFFERING: {
        gint percent = 100;
        gst_message_parse_buffering(message, &percent);
        if (!plan_.live)
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

  /// Of what an element works on, if the user gave it a name, else of the element.
  std::string name_for_user(GstObject* element) const {
    if (GST_OBJECT_FLAG_IS_SET(element, GST_ELEMENT_FLAG_SOURCE)) return options_.input;
    if (GST_OBJECT_FLAG_IS_SET(element, GST_ELEMENT_FLAG_SINK) && !options_.output.empty())
      return options_.output;
    return GST_OBJECT_NAME(element);
  }

  /// Whether an element warns that it goes on with a test picture, or shows nothing, because it
  /// found no camera or no screen.
  static bool is_substitute(GstObject* element) {
    const GstElementFactory* factory =
        GST_IS_ELEMENT(element) ? gst_element_get_factory(GST_ELEMENT(element)) : nullptr;
    const gchar* name = factory ? GST_OBJECT_NAME(factory) : nullptr;
    return g_strcmp0(name, "autovideosrc") == 0 || g_strcmp0(name, "autovideosink") == 0;
  }

  void read_complaint(GstMessage* message) {
    const bool is_error = GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR;
    GError* error = nullptr;
    gchar* debug = nullptr;
    (is_error ? gst_message_parse_error : gst_message_parse_warning)(message, &error, &debug);
    std::string text = error->message;
    // A source's own error says only that an element after it had one.
    const bool follows = g_error_matches(error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED) &&
                         debug && g_strrstr(debug, "reason error (-5)");
    if (GST_MESSAGE_SRC(message) != GST_OBJECT(mosaic_.get()) && !follows)
      text = name_for_user(GST_MESSAGE_SRC(message)) + ": " + text;
    g_error_free(error);
    g_free(debug);
    if (is_error || is_substitute(GST_MESSAGE_SRC(message)))
      fail(text);
    else
      progress_.say("warning: " + text);
  }

  Structure stats() const {
    GstStructure* stats = nullptr;
    g_object_get(mosaic_.get(), "stats", &stats, nullptr);
    return Structure(stats);
  }

  Result result() {
    warn_about_cells();
    const Structure stats = this->stats();
    Result result;
    gst_structure_get(stats.get(), "frames", G_TYPE_UINT64, &result.frames, "width", G_TYPE_INT,
                      &result.width, "height", G_TYPE_INT, &result.height, "fps", G_TYPE_DOUBLE,
                      &result.input_rate, "tiles", G_TYPE_UINT, &result.tiles, "cells", G_TYPE_UINT,
                      &result.cells, "dropped", G_TYPE_UINT64, &result.dropped, "repeated",
                      G_TYPE_UINT64, &result.repeated, "skipped", G_TYPE_UINT,
                      &result.skipped_photos, nullptr);
    if (!plan_.still) progress_.update(result.frames, plan_.duration);
    result.frames_per_second = progress_.frames_per_second();
    const gchar* decoder = gst_structure_get_string(stats.get(), "active-codec");
    result.decoder = decoder ? decoder : "";
    result.encoder = plan_.encoder;
    result.device = gst_structure_get_string(stats.get(), "device");
    result.interrupted = interrupted_;
    return result;
  }

  const Plan& plan_;
  const Options& options_;
  Progress& progress_;
  Element pipeline_, mosaic_;
  Part part_;
  SideStreams side_streams_;
  GMainLoop* loop_;
  std::vector<guint> sources_;
  std::string failure_;
  bool interrupted_ = false, ending_ = false;
  bool knows_cells_ = false;          ///< warn_about_cells() was called
  bool loading_ = false;              ///< photos
  std::atomic<bool> enough_ = false;  ///< what is before Plan::end has been drawn
};

/// Element names have no characters that JSON would need escaped.
std::string json_text(const std::string& name) {
  return name.empty() ? "null" : "\"" + name + "\"";
}

std::string json_number(double number) {
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];
  return g_ascii_formatd(text, sizeof text, "%.3f", number);
}

}  // namespace

Result run(const Plan& plan, const Options& options, Progress& progress) {
  return Runner(plan, options, progress).run();
}

std::string to_json(const Result& r) {
  return "{\"frames\": " + std::to_string(r.frames) + ", \"width\": " + std::to_string(r.width) +
         ", \"height\": " + std::to_string(r.height) + ", \"fps\": " + json_number(r.input_rate) +
         ", \"active_codec\": " + json_text(r.decoder) + ", \"encoder\": " + json_text(r.encoder) +
         ", \"device\": " + json_text(r.device) + ", \"cells\": " + std::to_string(r.cells) +
         ", \"tiles\": " + std::to_string(r.tiles) + ", \"dropped\": " + std::to_string(r.dropped) +
         ", \"repeated\": " + std::to_string(r.repeated) +
         ", \"skipped_photos\": " + std::to_string(r.skipped_photos) +
         ", \"frames_per_second\": " + json_number(r.frames_per_second) +
         ", \"interrupted\": " + (r.interrupted ? "true" : "false") + "}";
}

}  // namespace mosaic_program
