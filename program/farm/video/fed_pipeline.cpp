// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/video/fed_pipeline.h"

#include <gst/app/gstappsrc.h>

#include "program/failure.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

constexpr guint64 kMostBytes = 64 << 20;           // that wait in the appsrc
constexpr gint64 kPatience = 60 * G_USEC_PER_SEC;  // without a move
constexpr GstClockTime kPause = 5 * GST_MSECOND;

GstAppSrc* app_source(const Owned<GstElement>& source) {
  return reinterpret_cast<GstAppSrc*>(source.get());
}

}  // namespace

FedPipeline::FedPipeline(const PipelineLine& line, const std::string& source)
    : pipeline_(line.make()),
      source_(gst_bin_get_by_name(GST_BIN(pipeline_.get()), source.c_str())),
      bus_(gst_element_get_bus(pipeline_.get())) {
  g_object_set(source_.get(), "max-bytes", kMostBytes, nullptr);
}

FedPipeline::~FedPipeline() {
  stop();
}

void FedPipeline::call(std::function<void(GstMessage*)> message,
                       std::function<void()> now_and_then) {
  message_ = std::move(message);
  now_and_then_ = std::move(now_and_then);
}

void FedPipeline::start() {
  moved_at_ = g_get_monotonic_time();
  gst_element_set_state(pipeline_.get(), GST_STATE_PLAYING);
}

void FedPipeline::push(Owned<GstSample> sample) {
  look();
  // A sample that is larger than the limit is taken, too.
  while (gst_app_src_get_current_level_bytes(app_source(source_)) >= kMostBytes) wait_a_little();
  if (gst_app_src_push_sample(app_source(source_), sample.get()) != GST_FLOW_OK) {
    look();
    throw Failure("the pipeline takes no more frames");
  }
}

void FedPipeline::end_source() {
  gst_app_src_end_of_stream(app_source(source_));
}

void FedPipeline::wait() {
  while (!ended_) wait_a_little();
}

/// Reads what the bus has.
void FedPipeline::look() {
  if (now_and_then_) now_and_then_();
  while (const Owned<GstMessage> message{gst_bus_pop(bus_.get())}) read(message.get());
}

void FedPipeline::wait_a_little() {
  if (now_and_then_) now_and_then_();
  if (const Owned<GstMessage> message(gst_bus_timed_pop(bus_.get(), kPause)); message)
    read(message.get());
  gint64 written = 0;
  gst_element_query_position(pipeline_.get(), GST_FORMAT_BYTES, &written);
  const gint64 now = g_get_monotonic_time();
  if (written != last_written_) {
    last_written_ = written;
    moved_at_ = now;
  } else if (now - moved_at_ > kPatience) {
    throw TryAgain("nothing has been written for a minute");
  }
}

void FedPipeline::read(GstMessage* message) {
  if (message_) message_(message);
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS) ended_ = true;
  if (GST_MESSAGE_TYPE(message) != GST_MESSAGE_ERROR) return;
  GError* told = nullptr;
  gst_message_parse_error(message, &told, nullptr);
  const Owned<GError> error(told);
  if (GST_OBJECT_FLAG_IS_SET(GST_MESSAGE_SRC(message), GST_ELEMENT_FLAG_SINK))
    throw TryAgain(error->message);
  throw Failure(error->message);
}

}  // namespace mosaic_program
