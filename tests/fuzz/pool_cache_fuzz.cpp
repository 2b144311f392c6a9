// SPDX-License-Identifier: LGPL-2.1-or-later
// The input is a file of the pool cache. Key and checksum are corrected, so that what they protect
// is reached; a pool that was read draws two frames. The first byte, which the file's magic
// replaces, chooses the look.
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "cpu/cpu_executor.h"
#include "mosaic/engine/engine.h"
#include "mosaic/pool/pool_cache.h"
#include "tests/fuzz/input_file.h"
#include "tests/mosaic/frames.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

constexpr int kSide = 8, kWidth = 48, kHeight = 32;
/// Every part of the file begins at a multiple of this.
constexpr size_t kBlock = 64;

/// Four photos, which only the file of the cache contains.
class Photos final : public mosaic::PhotoSource {
 public:
  int count() const override { return 4; }
  std::string name(int index) const override { return std::to_string(index); }
  std::string fingerprint(int index) const override { return name(index); }
  mosaic::Photo decode(int) const override { return {}; }
};

/// A look with all that uses the pool, and without the finishing, which takes far longer.
mosaic::Look look_of(uint8_t choice) {
  mosaic::Look look;
  look.placement = static_cast<mosaic::PlacementKind>(choice % 2);
  look.color_transfer = static_cast<mosaic::TransferKind>(choice / 2 % 6);
  look.reinhard_l = look.reinhard_ab = 0.5;
  look.neighbor_swap_rounds = 1;
  return look;
}

struct Fixture {
  fuzz::InputFile folder{{}};
  Photos photos;
  mosaic::PoolCache cache{photos, {kSide, kSide, false, folder.folder()}, 0};
  std::shared_ptr<mt::Executor> executor = mt::make_cpu_executor(1);
  mosaic::Grid grid = mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "700");
  test::RgbFrame frames[2] = {test::moving_disc(kWidth, kHeight, 0),
                              test::moving_disc(kWidth, kHeight, 2)};
  test::RgbFrame out{kWidth, kHeight};

  /// Writes magic, key and checksum to their places in a file.
  void sign(std::vector<uint8_t>& file) const {
    if (file.size() < 32) return;
    std::memcpy(file.data(), "MTPOOL\r\n", 8);
    // The file's name is the key in hexadecimal, the higher half first.
    const std::string hex = cache.path().substr(cache.path().rfind('-') + 1, 32);
    for (const int half : {0, 1}) {
      const uint64_t key = std::stoull(hex.substr(size_t{16} * (1 - half), 16), nullptr, 16);
      std::memcpy(file.data() + 16 + 8 * half, &key, sizeof key);
    }
    const XXH128_hash_t hash = XXH3_128bits(file.data() + 16, file.size() - 16);
    const uint64_t sum = hash.low64 ^ hash.high64;
    std::memcpy(file.data() + 8, &sum, sizeof sum);
  }

  void draw(const std::shared_ptr<const mosaic::PoolData>& data, uint8_t choice) {
    mosaic::FrameSettings settings;
    settings.look = look_of(choice);
    settings.flow_width = kWidth, settings.flow_height = kHeight;
    settings.temporal_blend = 2;
    mosaic::Engine engine(grid, std::make_shared<mosaic::Pool>(data), {}, executor);
    for (test::RgbFrame& frame : frames) engine.process(frame.view(), out.view(), settings);
  }
};

Fixture& fixture() {
  static Fixture instance;
  return instance;
}

}  // namespace

/// Keeps the size of most inputs, because the header determines it. Changes one block: a mutation
/// of the whole would seldom hit the header, which is small.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  std::minstd_rand random(seed);
  if (size < 2 * kBlock || random() % 8 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const size_t blocks = random() % 4 == 0 ? 4 : size / kBlock;
  uint8_t* block = data + random() % std::min(blocks, size / kBlock) * kBlock;
  const size_t used = LLVMFuzzerMutate(block, kBlock, kBlock);
  std::fill(block + used, block + kBlock, uint8_t{0});
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint8_t> file(data, data + size);
  fixture().sign(file);
  fuzz::InputFile::write_file(fixture().cache.path(), file.data(), file.size());
  if (const auto pool = fixture().cache.load()) fixture().draw(pool, data[0]);
  return 0;
}
