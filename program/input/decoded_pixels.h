// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Pictures that the program mosaictemporal-decoder has decoded, in a pipeline.
#pragma once

#include <string>

#include "program/pipeline/framing.h"
#include "program/pipeline/pipeline_line.h"

namespace mosaic_program {

/// The path of mosaictemporal-decoder: beside the plugin, where the element finds it, too.
std::string decoder_program();

/// Begins a pipeline with elements that read pixels, [height][width][3: R, G, B], from a file
/// descriptor.
/// @param commands write the same, see PipelineLine::read
void read_pixels(PipelineLine& line, int fd, Commands commands, const PictureSize& size);

}  // namespace mosaic_program
