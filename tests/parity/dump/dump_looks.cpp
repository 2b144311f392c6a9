// SPDX-License-Identifier: LGPL-2.1-or-later
// Applies stages of the look for looks.py. Pictures are packed R, G, B on standard input and
// output.
//
//   dump_looks finish PROFILE.toml WIDTH HEIGHT
//   dump_looks seams SIDE LEVELS WIDTH HEIGHT     of whole cells
//   dump_looks transfer PROFILE.toml SIDE COUNT   pairs of a tile and its cell
#include <cstdlib>
#include <string>
#include <vector>

#include "cpu/cpu_executor.h"
#include "kernels/all/kernels.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/drawing/drawing.h"
#include "mosaic/drawing/finishing.h"
#include "mosaic/drawing/seam_blending.h"
#include "mosaic/settings/profile.h"
#include "tests/mosaic/frames.h"
#include "tests/parity/dump/streams.h"

namespace {

test::RgbFrame read(int width, int height) {
  test::RgbFrame frame(width, height);
  frame.pixels = parity::read<uint8_t>(frame.pixels.size());
  return frame;
}

void write(const mt::Planes& p) {
  parity::write(test::frame_of(p).pixels);
}

/// [3: R, G, B][side][side]
std::vector<uint8_t> planar(const test::RgbFrame& frame) {
  std::vector<uint8_t> planes(frame.pixels.size());
  const size_t area = planes.size() / 3;
  for (size_t i = 0; i < planes.size(); ++i) planes[i % 3 * area + i / 3] = frame.pixels[i];
  return planes;
}

mt::CellStats stats_of(mt::Executor& executor, const std::vector<uint8_t>& pixels, int side) {
  std::vector<int16_t> features(mt::kFeatureStride), residuals(mt::kFeatureStride);
  mt::CellStats stats;
  mosaic::describe_tiles(executor, pixels.data(), 1, side, features.data(), residuals.data(),
                         &stats);
  return stats;
}

void transfer(const std::shared_ptr<mt::Executor>& executor, mosaic::Look look, int side) {
  look.feather_width = 0;
  const std::vector<uint8_t> tile = planar(read(side, side));
  const test::RgbFrame cell = read(side, side);
  const mt::CellStats tile_stats = stats_of(*executor, tile, side);
  const mt::CellStats cell_stats = stats_of(*executor, planar(cell), side);
  mosaic::Picture source(side, side, executor), canvas(side, side, executor);
  test::show(cell, source.planes());
  const mt::CellPaint paint{{0, 0, side, side}, 0, 0, 0};
  executor->launch(
      mt::Draw{executor->tables(), &paint, &cell_stats, &tile_stats, side * side, tile.data(), 1,
               side, source.planes(), canvas.planes(), mosaic::draw_look(look)},
      1);
  write(canvas.planes());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const std::string what = argv[1];
  const int third = std::atoi(argv[3]), fourth = std::atoi(argv[4]);
  const auto executor = mt::make_cpu_executor(0);
  if (what == "transfer") {
    for (int i = 0; i < fourth; ++i) transfer(executor, mosaic::load_profile(argv[2]), third);
    return 0;
  }
  const int width = what == "seams" ? fourth : third;
  const int height = what == "seams" ? std::atoi(argv[argc - 1]) : fourth;
  mosaic::Picture picture(width, height, executor);
  test::show(read(width, height), picture.planes());
  if (what == "seams") {
    const auto grid = mosaic::choose_grid(width, height, width, height, std::atoi(argv[2]), "1");
    mosaic::SeamBlending seams(grid, executor);
    write(seams.apply(picture.planes(), third));
  } else {
    mosaic::Finishing finishing(width, height, 1, executor);
    write(finishing.apply(picture.planes(), mosaic::load_profile(argv[2])));
  }
}
