// SPDX-License-Identifier: LGPL-2.1-or-later
// Mosaics in NV12 for gate.py, each frame on its own.
//
//   dump_luma PHOTOS SIDE WIDTH HEIGHT PROFILE
//
// Standard input: pictures, packed R, G, B, of even width and height. Output, for each: its NV12 as
// R, G, B again, which is what the engine sees, and the luma of the mosaic.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuda/kernels.h"
#include "mosaic/engine.h"
#include "mosaic/picture.h"
#include "mosaic/pool.h"
#include "mosaic/profile.h"
#include "tests/core/layouts.h"

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const int side = std::atoi(argv[2]), width = std::atoi(argv[3]), height = std::atoi(argv[4]);
  const auto executor = mt::make_cpu_executor(0);
  const mosaic::Grid grid = mosaic::choose_grid(width, height, width, height, side, "1");
  const std::atomic<bool> cancelled{false};
  const auto pool = mosaic::load_pool(
      *mosaic::open_photo_folder(argv[1]), {side, grid.draw_side, true, ""}, *executor,
      [](const mosaic::PoolProgress&) {}, [](const std::string&) {}, cancelled);
  mosaic::Engine engine(grid, pool, 0, executor);
  mosaic::FrameSettings settings;
  settings.coherence = mosaic::Coherence::kNone;
  settings.look = mosaic::load_profile(argv[5]);

  const size_t pixels = size_t(width) * height;
  std::vector<uint8_t> rgb(3 * pixels), frame(2 * pixels);
  mosaic::Picture picture(width, height, executor);
  const mt::Planes planes = picture.planes();
  const mt::FrameView packed =
      test::view_of(test::layout_of("RGB"), width, height, rgb.data(), 3 * width, 0);
  const mt::FrameView nv12 =
      test::view_of(test::layout_of("NV12"), width, height, frame.data(), width, pixels);
  const int strips = (height + mt::Pack::kRows - 1) / mt::Pack::kRows;
  while (std::fread(rgb.data(), 1, rgb.size(), stdin) == rgb.size()) {
    executor->launch(mt::Unpack{packed, planes, nullptr}, height);
    executor->launch(mt::Pack{planes, nv12, {}, 0, 0}, strips);
    executor->launch(mt::Unpack{nv12, planes, nullptr}, height);
    executor->launch(mt::Pack{planes, packed, {}, 0, 0}, strips);
    engine.process(nv12, nv12, settings);
    executor->wait();
    std::fwrite(rgb.data(), 1, rgb.size(), stdout);
    std::fwrite(frame.data(), 1, pixels, stdout);
    std::fflush(stdout);
  }
}
