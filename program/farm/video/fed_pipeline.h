// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <functional>
#include <string>

#include "gst/pointers.h"
#include "program/pipeline/pipeline_line.h"

namespace mosaic_program {

/// A pipeline with an appsrc that this thread feeds, without a lock or a thread of its own.
class FedPipeline {
 public:
  /// @param source the name of the appsrc
  FedPipeline(const PipelineLine& line, const std::string& source);
  ~FedPipeline();
  FedPipeline(const FedPipeline&) = delete;
  FedPipeline& operator=(const FedPipeline&) = delete;

  GstElement* get() const { return pipeline_.get(); }
  /// What is called with each message of the bus, and now and then while this object waits; what it
  /// throws ends the waiting.
  void call(std::function<void(GstMessage*)> message, std::function<void()> now_and_then);
  /// To be called when everything that watches it is in place.
  void start();
  // All throw TryAgain if nothing has moved for a minute or the output cannot be written, and
  // Failure on another error of an element.
  /// Waits until there is room.
  void push(mosaic_gst::Owned<GstSample> sample);
  /// Ends the stream.
  void end_source();
  /// Waits until the pipeline has ended.
  void wait();
  /// Ends all streaming threads.
  void stop() { gst_element_set_state(pipeline_.get(), GST_STATE_NULL); }

 private:
  void look();
  void read(GstMessage* message);
  void wait_a_little();

  mosaic_gst::Owned<GstElement> pipeline_, source_;
  mosaic_gst::Owned<GstBus> bus_;
  std::function<void(GstMessage*)> message_;
  std::function<void()> now_and_then_;
  bool ended_ = false;
  gint64 last_written_ = -1;  ///< bytes, at the last look
  gint64 moved_at_ = 0;       ///< of the monotonic clock, microseconds
};

}  // namespace mosaic_program
