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
  /// @param source the name of the appsrc @param message is called with each message of the bus
  FedPipeline(const PipelineLine& line, const std::string& source,
              std::function<void(GstMessage*)> message = {});
  ~FedPipeline();
  FedPipeline(const FedPipeline&) = delete;
  FedPipeline& operator=(const FedPipeline&) = delete;

  GstElement* get() const { return pipeline_.get(); }
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

 private:
  void look();
  void read(GstMessage* message);
  void wait_a_little();

  mosaic_gst::Owned<GstElement> pipeline_, source_;
  mosaic_gst::Owned<GstBus> bus_;
  std::function<void(GstMessage*)> message_;
  bool ended_ = false;
  gint64 last_written_ = -1;  ///< bytes, at the last look
  gint64 moved_at_ = 0;       ///< of the monotonic clock, microseconds
};

}  // namespace mosaic_program
