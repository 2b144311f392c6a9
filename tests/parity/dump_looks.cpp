// SPDX-License-Identifier: LGPL-2.1-or-later
// Stages of the look for looks.py. Pictures are packed R, G, B on standard input and output.
//
//   dump_looks finish PROFILE.toml WIDTH HEIGHT
//   dump_looks seams SIDE LEVELS WIDTH HEIGHT     of whole cells
//   dump_looks transfer PROFILE.toml SIDE COUNT   pairs of a tile and its cell
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cuda/kernels.h"
#include "mosaic/analysis.h"
#include "mosaic/drawing.h"
#include "mosaic/finishing.h"
#include "mosaic/profile.h"
#include "mosaic/seams.h"

namespace {

using Packed = std::vector<uint8_t>;

Packed read(int width, int height) {
  Packed pixels(size_t{3} * width * height);
  if (std::fread(pixels.data(), 1, pixels.size(), stdin) != pixels.size()) std::exit(1);
  return pixels;
}

void put(const Packed& packed, const mt::Planes& p) {
  for (int i = 0; i < p.width * p.height; ++i)
    for (int c = 0; c < 3; ++c)
      p.plane[c][i / p.width * p.stride + i % p.width] = packed[size_t{3} * i + c];
}

void write(const mt::Planes& p) {
  Packed packed(size_t{3} * p.width * p.height);
  for (int i = 0; i < p.width * p.height; ++i)
    for (int c = 0; c < 3; ++c)
      packed[size_t{3} * i + c] = p.plane[c][i / p.width * p.stride + i % p.width];
  std::fwrite(packed.data(), 1, packed.size(), stdout);
}

mt::CellStats stats_of(mt::Executor& executor, const Packed& packed, int side) {
  const int area = side * side;
  Packed planar(packed.size());
  for (int i = 0; i < area; ++i)
    for (int c = 0; c < 3; ++c) planar[c * area + i] = packed[3 * i + c];
  std::vector<int16_t> features(mt::kFeatureStride), remainders(mt::kFeatureStride);
  mt::CellStats stats;
  mosaic::describe_tiles(executor, planar.data(), 1, side, features.data(), remainders.data(),
                         &stats);
  return stats;
}

void transfer(const std::shared_ptr<mt::Executor>& executor, mosaic::Look look, int side) {
  look.feather_width = 0;
  const Packed tile = read(side, side), cell = read(side, side);
  const mt::CellStats tile_stats = stats_of(*executor, tile, side);
  const mt::CellStats cell_stats = stats_of(*executor, cell, side);
  Packed photo(tile.size());
  for (size_t i = 0; i < photo.size(); ++i) photo[i % 3 * side * side + i / 3] = tile[i];
  mosaic::Picture source(side, side, executor), canvas(side, side, executor);
  put(cell, source.planes());
  const mt::CellPaint paint{{0, 0, side, side}, 0, 0, 0};
  executor->launch(
      mt::Draw{executor->tables(), &paint, &cell_stats, &tile_stats, side * side, photo.data(), 1,
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
  put(read(width, height), picture.planes());
  if (what == "seams") {
    const auto grid = mosaic::choose_grid(width, height, width, height, std::atoi(argv[2]), "1");
    mosaic::Seams seams(grid, executor);
    write(seams.apply(*executor, picture.planes(), third));
  } else {
    mosaic::Finishing finishing(width, height, executor);
    write(finishing.apply(*executor, picture.planes(), mosaic::load_profile(argv[2])));
  }
}
