// SPDX-License-Identifier: LGPL-2.1-or-later
// usage: dump_hues SIDE AUGMENT HUES. Reads photos of packed R, G, B, SIDE x SIDE, from standard
// input, makes a pool of them and writes every tile of the pool as it is drawn, in order.
#include <atomic>
#include <cstdlib>
#include <vector>

#include "cpu/cpu_executor.h"
#include "kernels/all/kernels.h"
#include "mosaic/base/picture.h"
#include "mosaic/pool/pool.h"
#include "tests/mosaic/frames.h"
#include "tests/parity/dump/streams.h"

namespace {

class Photos : public mosaic::PhotoSource {
 public:
  explicit Photos(int side) : side_(side) {
    std::vector<uint8_t> photo(size_t{3} * side * side);
    while (parity::read(photo)) photos_.push_back(photo);
  }
  int count() const override { return static_cast<int>(photos_.size()); }
  std::string name(int index) const override { return std::to_string(index); }
  std::string fingerprint(int) const override { return ""; }
  mosaic::Photo decode(int index) const override { return {side_, side_, photos_[index]}; }

 private:
  int side_;
  std::vector<std::vector<uint8_t>> photos_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int side = std::atoi(argv[1]);
  const auto executor = mt::make_cpu_executor(0);
  mosaic::PoolOptions options;
  options.side = side;
  options.draw_size = side;
  options.augment = std::atoi(argv[2]) != 0;
  options.color_variants = std::atoi(argv[3]);
  options.cache_location = "";
  const std::atomic<bool> cancelled{false};
  const auto pool = mosaic::load_pool(
      Photos(side), options, *executor, [](const mosaic::PoolProgress&) {},
      [](const std::string&) {}, cancelled);
  mosaic::Picture source(side, side, executor), canvas(side, side, executor);
  const mt::CellStats cell{};
  for (int t = 0; t < pool->tiles(); ++t) {
    const mt::CellPaint paint{{0, 0, side, side}, 0, t, 0};
    executor->launch(mt::Draw{executor->tables(),
                              &paint,
                              &cell,
                              pool->stats().data(),
                              side * side,
                              pool->pixels().data(),
                              pool->photos(),
                              side,
                              source.planes(),
                              canvas.planes(),
                              {},
                              pool->tile_variants()},
                     1);
    executor->wait();
    parity::write(test::frame_of(canvas.planes()).pixels);
  }
}
