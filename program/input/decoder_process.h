// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <glib.h>

#include <string>
#include <vector>

#include "mosaic/base/descriptor.h"
#include "program/pipeline/framing.h"
#include "program/pipeline/pipeline_line.h"

namespace mosaic_program {

/// A process of the program mosaictemporal-decoder that writes pictures of one size, one after the
/// other.
class DecoderProcess {
 public:
  /// @param arguments of the program
  explicit DecoderProcess(std::vector<std::string> arguments);
  /// Ends the process.
  ~DecoderProcess();
  DecoderProcess(const DecoderProcess&) = delete;
  DecoderProcess& operator=(const DecoderProcess&) = delete;

  /// Starts the process, and adds elements that give the pictures that it writes, uint8
  /// [height][width][3: R, G, B]; the caller sets the property `framerate` of the last of them. To
  /// be called once; the pictures come for as long as this object lives. Throws Failure if the
  /// process cannot be started.
  void link(PipelineLine& line, const PictureSize& size);

  /// Why the pictures ended before the last one; empty: the process has ended as it should. To be
  /// called once, when they have ended; it waits for the end of the process.
  std::string failure();

 private:
  std::vector<std::string> command_;
  GPid process_ = -1;                    ///< -1: not started, or ended
  mosaic::Descriptor pixels_, reasons_;  ///< what it writes: pictures, and error messages
};

}  // namespace mosaic_program
