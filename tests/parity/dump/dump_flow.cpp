// SPDX-License-Identifier: LGPL-2.1-or-later
// usage: dump_flow WEIGHTS WIDTH HEIGHT ITERATIONS. Reads pictures of packed R, G, B from standard
// input and writes the motion that RAFT finds from each to the next one, for every pixel two 32-bit
// floating-point numbers.
#include <cstdlib>
#include <optional>
#include <vector>

#include "cpu/cpu_executor.h"
#include "mosaic/base/picture.h"
#include "mosaic/motion_network/raft.h"
#include "tests/parity/dump/streams.h"

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const int width = std::atoi(argv[2]), height = std::atoi(argv[3]);
  const auto executor = mt::make_cpu_executor(0);
  const auto weights =
      std::make_shared<const mosaic::RaftWeights>(mosaic::load_raft_weights(argv[1]));
  const mt::PixelSize size{width, height};
  mosaic::Raft raft(weights, executor, size, 1);
  mosaic::RaftFeatures before(executor, size, 1), now(executor, size, 1);
  mosaic::FlowField flow(executor, size, 1);
  mosaic::Picture picture(width, height, executor);
  std::vector<uint8_t> pixels(size_t{3} * width * height);
  for (bool first = true; parity::read(pixels); first = false) {
    const mt::Planes planes = picture.planes();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (int c = 0; c < 3; ++c)
          planes.plane[c][y * planes.stride + x] = pixels[(size_t(y) * width + x) * 3 + c];
    std::swap(before, now);
    raft.encode({&planes, 1}, now);
    if (first) continue;
    raft.estimate(before, now, nullptr, std::atoi(argv[4]), flow);
    executor->wait();
    parity::write(std::vector<float>(flow.pixels(), flow.pixels() + flow.size()));
  }
}
