// SPDX-License-Identifier: LGPL-2.1-or-later
// Every kernel over groups of 32 and of 256 threads: the same bytes as one thread a group, and
// under ThreadSanitizer no race.
#include "threaded_group.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>

#include "cuda/executor.h"
#include "cuda/kernels.h"

namespace {

constexpr int kWidth = 37, kHeight = 29;

/// The memory of a kernel: blocks that are made anew, and alike, for each way to run it.
class Memory {
 public:
  template <class T>
  T* zeroed(size_t n) {
    return reinterpret_cast<T*>(blocks_.emplace_back(n * sizeof(T)).data());
  }
  template <class T>
  T* random(size_t n, int below) {
    T* block = zeroed<T>(n);
    for (size_t i = 0; i < n; ++i) block[i] = static_cast<T>(random_() % below);
    return block;
  }
  mt::Planes planes(int width, int height) {
    mt::Planes p;
    p.stride = width + 3;
    p.width = width;
    p.height = height;
    for (uint8_t*& plane : p.plane) plane = random<uint8_t>(size_t(p.stride) * height, 256);
    return p;
  }
  /// Sums as those of `pixels` pixels of a mean and a deviation.
  mt::CellStats* stats(int n, int pixels) {
    mt::CellStats* stats = zeroed<mt::CellStats>(n);
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < 3; ++c) {
        const int64_t mean = random_() % 256, deviation = random_() % 60;
        stats[i].lab[c] = static_cast<int32_t>(mean * pixels);
        stats[i].lab_square[c] = (mean * mean + deviation * deviation) * pixels;
        stats[i].oklab[c] = static_cast<int32_t>(random_() % 65536);
      }
    return stats;
  }
  const std::deque<std::vector<uint8_t>>& blocks() const { return blocks_; }

 private:
  std::deque<std::vector<uint8_t>> blocks_;
  std::mt19937 random_{7};
};

template <class Kernel>
struct Launch {
  Kernel kernel;
  int count;
};

/// @param make Memory& -> Launch<Kernel>
template <class Make>
void expect_same(int workers, Make make) {
  Memory one, many;
  const auto serial = make(one), threaded = make(many);
  mt::make_cpu_executor(1)->launch(serial.kernel, serial.count);
  test::run_threaded(threaded.kernel, threaded.count, workers);
  ASSERT_EQ(one.blocks().size(), many.blocks().size());
  for (size_t i = 0; i < one.blocks().size(); ++i)
    EXPECT_TRUE(one.blocks()[i] == many.blocks()[i]) << "block " << i << ", in order of making";
}

mt::FrameView rgb_frame(Memory& m) {
  mt::FrameView v;
  v.kind = mt::PixelKind::kRgb;
  v.width = kWidth;
  v.height = kHeight;
  uint8_t* data = m.random<uint8_t>(size_t(kWidth) * kHeight * 4, 256);
  for (int i = 0; i < 3; ++i) v.component[i] = {data + i, kWidth * 4, 4, 0, 0};
  v.alpha = {data + 3, kWidth * 4, 4, 0, 0};
  return v;
}

/// NV12, or grey alone.
mt::FrameView luma_frame(Memory& m, mt::PixelKind kind) {
  mt::FrameView v;
  v.kind = kind;
  v.width = kWidth;
  v.height = kHeight;
  v.component[0] = {m.random<uint8_t>(size_t(kWidth) * kHeight, 256), kWidth, 1, 0, 0};
  if (kind == mt::PixelKind::kYuv) {
    const int pitch = kWidth + 1;
    uint8_t* chroma = m.random<uint8_t>(size_t(pitch) * ((kHeight + 1) / 2), 256);
    v.component[1] = {chroma, pitch, 2, 1, 1};
    v.component[2] = {chroma + 1, pitch, 2, 1, 1};
  }
  // Each component takes a little of every other.
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) v.to_rgb.m[i][k] = v.from_rgb.m[i][k] = i == k ? 50000 : 7000;
  return v;
}

std::vector<mt::FrameView (*)(Memory&)> frames() {
  return {rgb_frame, [](Memory& m) { return luma_frame(m, mt::PixelKind::kYuv); },
          [](Memory& m) { return luma_frame(m, mt::PixelKind::kGray); }};
}

/// One for each kernel: a kernel of MT_KERNELS without one does not compile.
template <class Kernel>
void check(int workers) = delete;

template <>
void check<mt::Unpack>(int workers) {
  for (const auto frame : frames())
    expect_same(workers, [=](Memory& m) {
      const mt::FrameView from = frame(m);
      const mt::Planes to = m.planes(kWidth, kHeight);
      return Launch<mt::Unpack>{{from, to, m.zeroed<uint8_t>(to.stride * kHeight)}, kHeight};
    });
}

template <>
void check<mt::Thumbnail>(int workers) {
  expect_same(workers, [](Memory& m) {
    constexpr int kColumns = 16, kRows = 9;
    return Launch<mt::Thumbnail>{
        {m.random<uint8_t>(kWidth * kHeight, 256), kWidth, kWidth, kHeight,
         m.random<uint8_t>(kColumns * kRows, 256), kColumns, kRows, m.zeroed<int64_t>(kRows)},
        kRows};
  });
}

template <>
void check<mt::Resample>(int workers) {
  for (const int size : {11, 53})
    expect_same(workers, [=](Memory& m) {
      return Launch<mt::Resample>{{m.planes(kWidth, kHeight), m.planes(size, size)}, size};
    });
}

template <>
void check<mt::Analyse>(int workers) {
  for (const int side : {8, 24, 41, 90})  // the last is more than one strip of pixels
    expect_same(workers, [=](Memory& m) {
      constexpr int kCells = 3;
      const size_t area = size_t(side) * side;
      mt::Analyse a{};
      a.tables = &mt::tables();
      a.source = m.planes(kCells * side - 5, side + 2);
      a.left = -2;  // so that a cell lies beyond each edge, and one within
      a.columns = kCells;
      a.side = side;
      a.pixels = m.zeroed<uint8_t>(kCells * 3 * area);
      a.lab = m.zeroed<uint8_t>(kCells * 3 * area);
      a.light = m.zeroed<uint8_t>(kCells * (side + 2) * (side + 2));
      a.features = m.zeroed<int16_t>(kCells * mt::kFeatureStride);
      a.stats = m.zeroed<mt::CellStats>(kCells);
      a.looked_at = m.zeroed<uint8_t>(kCells);
      for (int i = 0; i < 3; ++i)  // what the middle cell holds already
        for (int y = 0; y < side; ++y)
          std::memcpy(a.pixels + (3 + i) * area + y * side,
                      a.source.plane[i] + y * a.source.stride + side - 2, side);
      return Launch<mt::Analyse>{a, kCells};
    });
}

template <>
void check<mt::Scene>(int workers) {
  for (const int first : {0, 1})
    expect_same(workers, [=](Memory& m) {
      constexpr int kRows = 300;
      return Launch<mt::Scene>{
          {m.random<int64_t>(kRows, 1000), kRows, first, 0, 5000, m.zeroed<mt::SceneState>(1)}, 1};
    });
}

template <>
void check<mt::Distance>(int workers) {
  expect_same(workers, [](Memory& m) {
    constexpr int kCells = 11, kTiles = 300;
    const mt::Distance d{{m.random<uint8_t>(kCells, 2), nullptr},
                         2,
                         kCells - 2,
                         m.random<int16_t>(kCells * mt::kFeatureStride, 6000),
                         m.random<int16_t>(kTiles * mt::kFeatureStride, 6000),
                         kTiles,
                         m.zeroed<int32_t>(kCells * kTiles),
                         m.zeroed<int32_t>(kCells * mt::Distance::tile_blocks(kTiles))};
    return Launch<mt::Distance>{d, d.count()};
  });
}

template <>
void check<mt::Rescale>(int workers) {
  expect_same(workers, [](Memory& m) {
    constexpr int kCount = 777;
    return Launch<mt::Rescale>{{m.random<int32_t>(kCount, 1 << 30), kCount,
                                m.zeroed<mt::SceneState>(1), m.zeroed<mt::CostScale>(1)},
                               1};
  });
}

template <>
void check<mt::Candidates>(int workers) {
  for (const int tiles : {90, 500})
    for (const int distances : {40, 1 << 30})  // many alike, and none
      expect_same(workers, [=](Memory& m) {
        constexpr int kCells = 4;
        const int wanted = tiles < 128 ? tiles : 128;
        mt::CostScale* scale = m.zeroed<mt::CostScale>(1);
        scale->factor = (int64_t{1} << (mt::kCostBits + mt::kScaleBits)) / distances;
        uint8_t* changed = m.zeroed<uint8_t>(kCells);
        changed[1] = changed[2] = 1;
        return Launch<mt::Candidates>{{{changed, scale},
                                       1,
                                       m.random<int32_t>(kCells * tiles, distances),
                                       m.zeroed<int32_t>(kCells * tiles),
                                       tiles,
                                       wanted,
                                       m.stats(kCells, 1),
                                       m.stats(tiles, 1),
                                       m.zeroed<int32_t>(kCells * wanted),
                                       m.zeroed<int32_t>(kCells * wanted),
                                       m.zeroed<int32_t>(kCells),
                                       m.zeroed<int64_t>(kCells)},
                                      kCells - 1};
      });
}

template <>
void check<mt::Draw>(int workers) {
  for (const int side : {8, 24, 41, 90})  // the last is more than one piece
    expect_same(workers, [=](Memory& m) {
      constexpr int kPhotos = 2, kCells = 4;
      const int area = side * side;
      mt::CellPaint* paint = m.zeroed<mt::CellPaint>(kCells);
      for (int i = 0; i < kCells; ++i)  // a variant each; the last is cut by the edge
        paint[i] = {{i * (side - 1), 1, side - 1, side}, i, 2 * i + i % 2, 6554 * i};
      return Launch<mt::Draw>{{&mt::tables(),
                               paint,
                               m.stats(kCells, area),
                               m.stats(kPhotos * mt::kVariants, area),
                               area,
                               m.random<uint8_t>(kPhotos * 3 * area, 256),
                               kPhotos,
                               side,
                               m.planes(kCells * side - 9, side),
                               m.planes(kCells * side - 9, side),
                               {0.65f, 0.48f, side == 24}},
                              kCells};
    });
}

template <>
void check<mt::Pack>(int workers) {
  for (const auto frame : frames())
    expect_same(workers, [=](Memory& m) {
      const mt::Planes from = m.planes(kWidth, kHeight);
      const mt::FrameView to = frame(m);
      const mt::Component alpha{m.random<uint8_t>(20 * 10, 256), 20, 1, 0, 0};
      return Launch<mt::Pack>{{from, to, alpha, 20, 10},
                              (kHeight + mt::Pack::kRows - 1) / mt::Pack::kRows};
    });
}

class ThreadedGroup : public testing::TestWithParam<int> {};

#define MT_KERNEL_TEST(name)                       \
  TEST_P(ThreadedGroup, name##IsThatOfOneThread) { \
    check<mt::name>(GetParam());                   \
  }
MT_KERNELS(MT_KERNEL_TEST)
#undef MT_KERNEL_TEST

/// Uses everything that a group has.
struct Everything {
  static constexpr int kShared = mt::shared_block<int32_t>(256) + mt::shared_block<int64_t>(100);
  int64_t* sums;    ///< [workers]
  uint64_t* least;  ///< [workers]
  int32_t* order;   ///< [100]: what add() returned
  int32_t* grid;    ///< [7][9]
  int32_t* count;
  int workers;

  template <class Group>
  void operator()(Group& g, int index) const {
    int32_t* a = g.template shared<int32_t>(workers);
    int64_t* b = g.template shared<int64_t>(100);
    g.for_each(100, [=](int i) { b[i] = i * index; });
    g.for_each(workers, [=](int i) { a[i] = i; });
    g.sync();
    int64_t mine = 0;
    uint64_t low = UINT64_MAX;
    g.for_each(100, [&](int i) {
      mine += b[99 - i] - 200;  // the sum of signed values
      low = std::min(low, static_cast<uint64_t>(300 - i));
    });
    const int64_t sum = g.sum(mine);
    const uint64_t least_ = g.min(low);
    g.for_each(workers, [=, this](int i) {
      sums[i] = sum + a[workers - 1 - i];
      least[i] = least_;
    });
    g.for_each(100, [=, this, &g](int i) { order[i] = g.add(*count, 1); });
    g.for_each(7, 9, [=, this](int y, int x) { grid[y * 9 + x] += 10 * y + x; });
  }
};

TEST_P(ThreadedGroup, KeepsTheContract) {
  const int n = GetParam();
  std::vector<int64_t> sums(n);
  std::vector<uint64_t> least(n);
  std::vector<int32_t> order(100), grid(63);
  int32_t count = 0;
  test::run_threaded(Everything{sums.data(), least.data(), order.data(), grid.data(), &count, n}, 3,
                     n);
  for (int i = 0; i < n; ++i) {
    ASSERT_EQ(2 * 4950 - 100 * 200 + n - 1 - i, sums[i]);
    ASSERT_EQ(201u, least[i]);
  }
  // The third index counted from 200 on, each number once.
  const std::set<int32_t> seen(order.begin(), order.end());
  EXPECT_EQ(100u, seen.size());
  EXPECT_EQ(200, *seen.begin());
  EXPECT_EQ(299, *seen.rbegin());
  for (int i = 0; i < 63; ++i) ASSERT_EQ(3 * (i / 9 * 10 + i % 9), grid[i]);
}

/// Lacks a sync between writing and reading. The writer holds its number back until it has been
/// read, which nothing forbids; atomic, so that it is a wrong result and not a race.
struct LacksASync {
  static constexpr int kShared = 2 * mt::kSharedAlignment;
  int32_t* out;

  template <class Group>
  void operator()(Group& g, int) const {
    int32_t* number = g.template shared<int32_t>(1);
    int32_t* read = g.template shared<int32_t>(1);
    g.for_each(1, [=](int) { *number = *read = 0; });
    g.sync();
    g.for_each(1, [=](int) {
      std::atomic_ref(*read).wait(0);
      std::atomic_ref(*number).store(1);
    });
    g.for_each(1, [=, this](int) {
      *out = std::atomic_ref(*number).load();
      std::atomic_ref(*read).store(1);
      std::atomic_ref(*read).notify_all();
    });
  }
};

TEST_P(ThreadedGroup, ShowsWhatAMissingSyncDoes) {
  int32_t out = -1;
  test::run_threaded(LacksASync{&out}, 1, GetParam());
  EXPECT_EQ(0, out);
}

/// May share one element more than it says.
struct TakesTooMuch {
  static constexpr int kShared = mt::kSharedBytes;
  bool last_straw;

  template <class Group>
  void operator()(Group& g, int) const {
    g.template shared<uint8_t>(kShared - mt::kSharedAlignment);
    g.template shared<uint8_t>(mt::kSharedAlignment);
    if (last_straw) g.template shared<uint8_t>(1);
  }
};

TEST(ThreadedGroupDeathTest, StopsAtWhatTheKernelSaysItShares) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  test::run_threaded(TakesTooMuch{false}, 1, 1);
  EXPECT_DEATH(test::run_threaded(TakesTooMuch{true}, 1, 1), "kShared");
}

INSTANTIATE_TEST_SUITE_P(Workers, ThreadedGroup, testing::Values(32, 256),
                         testing::PrintToStringParamName());

}  // namespace
