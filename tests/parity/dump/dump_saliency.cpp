// SPDX-License-Identifier: LGPL-2.1-or-later
// usage: dump_saliency WIDTH HEIGHT SIDE. Reads one picture of packed R, G, B from standard input.
// Writes for each cell its edges, its sum of the Laplacian's magnitudes and the largest of them as
// int32, and its weight in a keyframe as double.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cpu/cpu_executor.h"
#include "kernels/all/kernels.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/analysis/detail.h"
#include "mosaic/analysis/saliency.h"
#include "tests/mosaic/frames.h"
#include "tests/parity/dump/streams.h"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int width = std::atoi(argv[1]), height = std::atoi(argv[2]);
  const auto executor = mt::make_cpu_executor(0);
  const mosaic::Grid grid =
      mosaic::choose_grid(width, height, width, height, std::atoi(argv[3]), "1");
  test::RgbFrame frame(width, height);
  if (!parity::read(frame.pixels)) return 1;
  mosaic::Picture picture(width, height, executor);
  mosaic::FrameAnalysis analysis(grid, executor);
  mosaic::Detail detail(grid, executor);
  mosaic::Saliency saliency(grid);
  std::vector<uint8_t> gray(size_t(picture.planes().stride) * height);
  executor->launch(mt::Unpack{frame.view(), picture.planes(), gray.data()}, height);
  analysis.enqueue(picture.planes(), true);
  detail.enqueue(picture.planes(), gray.data(), analysis.on_device().changed);
  executor->wait();
  saliency.update(analysis.stats(), detail, {mosaic::Continuation::kStart}, 1.0);
  for (int cell = 0; cell < grid.cells(); ++cell) {
    const double weight = saliency.weight(cell);
    std::fwrite(&detail.cells()[cell], sizeof(mt::CellDetail), 1, stdout);
    std::fwrite(&weight, sizeof weight, 1, stdout);
  }
}
