// SPDX-License-Identifier: LGPL-2.1-or-later
// usage: dump_rerank SIDE COLUMNS ROWS TILES
//
// Reads from standard input TILES tiles and COLUMNS x ROWS cells of planar RGB, [3][SIDE][SIDE]
// bytes each, the tile that each cell has (int32) and the 25 tiles nearest to it (int32[25]).
// Writes for each cell the scores of its own tile and of the nearest ones (struct Score below),
// then for each cell the tile that it has after the rerank (int32).
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cpu/cpu_executor.h"
#include "mosaic/placement/reranking.h"
#include "tests/parity/dump/streams.h"

namespace {

struct Score {
  double ssim,
      correlation;  ///< correlation: except for a factor that is the same for all tiles of a cell
};

std::vector<uint8_t> luma(const std::vector<uint8_t>& pixels, int area) {
  std::vector<uint8_t> gray;
  for (const uint8_t* tile = pixels.data(); gray.size() < pixels.size() / 3; tile += 3 * area)
    for (int i = 0; i < area; ++i)
      gray.push_back(static_cast<uint8_t>(mt::planar_gray(tile, area, i)));
  return gray;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const int side = std::atoi(argv[1]), columns = std::atoi(argv[2]), rows = std::atoi(argv[3]);
  const int tile_count = std::atoi(argv[4]), cells = columns * rows;
  const size_t area = static_cast<size_t>(side) * side, each = 1 + mt::kRerankNearest;
  const auto grays = luma(parity::read<uint8_t>(3 * area * tile_count), area);
  const auto pixels = parity::read<uint8_t>(3 * area * cells);
  std::vector<int32_t> tiles = parity::read<int32_t>(cells);
  const auto nearest = parity::read<int32_t>(static_cast<size_t>(cells) * mt::kRerankNearest);

  std::vector<mt::RerankEntry> entries;
  for (int cell = 0; cell < cells; ++cell) entries.push_back({cell, tiles[cell]});
  std::vector<uint8_t> gray(area * cells);
  std::vector<mt::RerankScore> scores(cells * each);
  mt::make_cpu_executor(1)->launch(
      mt::Rerank{entries.data(), pixels.data(), grays.data(), side, nearest.data(),
                 mt::kRerankNearest, gray.data(), scores.data()},
      cells);
  for (const mt::RerankScore& s : scores) {
    const double windows = double(side - 6) * (side - 6) * (1 << mt::kSsimBits);
    const Score score{static_cast<double>(s.ssim) / windows,
                      mosaic::correlation(s, static_cast<int>(area))};
    std::fwrite(&score, sizeof score, 1, stdout);
  }

  mosaic::Occupancy occupancy;
  occupancy.reset({columns, rows, tile_count, {.units = tile_count, .most = 1}, 0}, tiles);
  for (int cell = 0; cell < cells; ++cell) {
    const std::span<const mt::RerankScore> of_cell(scores.data() + cell * each, each);
    occupancy.replace(
        cell, mosaic::most_similar_tile(of_cell, mosaic::rank(of_cell, static_cast<int>(area)),
                                        [&](int32_t tile) { return occupancy.fits(cell, tile); }));
  }
  parity::write(tiles);
}
