// SPDX-License-Identifier: LGPL-2.1-or-later
// usage: dump_features SIDE. Reads tiles of planar RGB, [3][SIDE][SIDE] bytes each, from standard
// input; writes for each its 191 features in the reference's order as int16, times 64, and its mean
// Oklab as three int32, times 2^16.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cpu/cpu_executor.h"
#include "mosaic/analysis/analysis.h"
#include "tests/parity/dump/streams.h"

int main(int argc, char** argv) {
  const int side = argc == 2 ? std::atoi(argv[1]) : 0;
  if (side < 8 || side > 256) {
    std::fprintf(stderr, "usage: dump_features SIDE (8..256)\n");
    return 2;
  }
  const size_t tile_bytes = size_t{3} * side * side;
  std::vector<uint8_t> pixels, tile(tile_bytes);
  while (parity::read(tile)) pixels.insert(pixels.end(), tile.begin(), tile.end());
  const int tiles = static_cast<int>(pixels.size() / tile_bytes);
  std::vector<int16_t> features(size_t(tiles) * mt::kFeatureStride);
  std::vector<int16_t> residuals(features.size());
  std::vector<mt::CellStats> stats(tiles);
  const auto executor = mt::make_cpu_executor(1);
  mosaic::describe_tiles(*executor, pixels.data(), tiles, side, features.data(), residuals.data(),
                         stats.data());
  for (int t = 0; t < tiles; ++t) {
    int16_t ordered[mt::kFeatures];
    for (int i = 0; i < mt::kFeatures; ++i)
      ordered[i] = features[size_t(t) * mt::kFeatureStride + mt::feature_slot(i)];
    std::fwrite(ordered, sizeof ordered, 1, stdout);
    std::fwrite(stats[t].oklab, sizeof stats[t].oklab, 1, stdout);
  }
}
