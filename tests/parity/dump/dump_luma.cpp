// SPDX-License-Identifier: LGPL-2.1-or-later
// Makes mosaics in NV12 for gate.py, each frame on its own.
//
//   dump_luma PHOTOS SIDE WIDTH HEIGHT PROFILE
//
// Standard input: pictures, packed R, G, B, of even width and height. Output, for each: its NV12 as
// R, G, B again, which is what the engine sees, and the luma of the mosaic.
#include <cstdio>
#include <vector>

#include "kernels/all/kernels.h"
#include "mosaic/base/picture.h"
#include "tests/kernels/layouts.h"
#include "tests/mosaic/frames.h"
#include "tests/parity/dump/gate_mosaic.h"
#include "tests/parity/dump/streams.h"

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  parity::GateMosaic gate(argv);
  const mosaic::FrameSettings settings = gate.settings(argv[5]);
  const int width = gate.width, height = gate.height;
  const size_t pixels = size_t(width) * height;
  test::RgbFrame rgb(width, height);
  std::vector<uint8_t> frame(2 * pixels);
  mosaic::Picture picture(width, height, gate.executor);
  const mt::Planes planes = picture.planes();
  const mt::FrameView packed = rgb.view();
  const mt::FrameView nv12 =
      test::view_of(test::layout_of("NV12"), width, height, frame.data(), width, pixels);
  const int strips = (height + mt::Pack::kRows - 1) / mt::Pack::kRows;
  mt::Executor& executor = *gate.executor;
  while (parity::read(rgb.pixels)) {
    executor.launch(mt::Unpack{packed, planes, nullptr}, height);
    executor.launch(mt::Pack{planes, nv12, {}, 0, 0}, strips);
    executor.launch(mt::Unpack{nv12, planes, nullptr}, height);
    executor.launch(mt::Pack{planes, packed, {}, 0, 0}, strips);
    gate.engine.process(nv12, nv12, settings);
    executor.wait();
    parity::write(rgb.pixels);
    std::fwrite(frame.data(), 1, pixels, stdout);
    std::fflush(stdout);
  }
}
