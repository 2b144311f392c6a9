// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/input/frames_input.h"

#include <utility>

#include "mosaic/base/error.h"
#include "mosaic/photos/decoding/decoder_protocol.h"
#include "mosaic/photos/decoding/photo_decoder.h"
#include "program/failure.h"
#include "program/input/decoded_pixels.h"
#include "program/input/photo_input.h"

namespace mosaic_program {

FramesInput::FramesInput(FrameFiles files) : files_(std::move(files)) {
  const std::string first = files_.name(files_.first);
  try {
    const PhotoInput photo(first, mosaic::PhotoDecoder::decode_picture(first, decoder_program()));
    size_ = photo.size();
    notices_ = photo.notices();
  } catch (const mosaic::Error& error) {
    throw Failure(error.what());
  }
}

std::shared_ptr<DecoderProcess> FramesInput::link(PipelineLine& line,
                                                  const std::string& rate) const {
  auto process = std::make_shared<DecoderProcess>(std::vector<std::string>{
      mosaic::decoder::kFrames, files_.before, std::to_string(files_.digits), files_.after,
      std::to_string(files_.first), std::to_string(files_.last)});
  process->link(line, size_);
  line.set("framerate", rate);
  return process;
}

}  // namespace mosaic_program
