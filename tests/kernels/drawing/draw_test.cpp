// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares drawn cells with mosaicraft's formulas in double precision.
#include "kernels/drawing/draw.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cpu/cpu_executor.h"
#include "executor/executor.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/base/picture.h"

namespace {

constexpr int kSide = 24;
constexpr int kArea = kSide * kSide;

std::vector<uint8_t> photo(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> p(3 * kArea);
  const double phase = random() % 7;
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < kArea; ++i)
      p[c * kArea + i] =
          static_cast<uint8_t>(120 + 80 * std::sin(0.5 * (i % kSide) + phase + c) + random() % 40);
  return p;
}

mt::CellStats stats_of(const std::vector<uint8_t>& pixels) {
  const auto executor = mt::make_cpu_executor(1);
  std::vector<int16_t> features(mt::kFeatureStride), residuals(mt::kFeatureStride);
  mt::CellStats s;
  mosaic::describe_tiles(*executor, pixels.data(), 1, kSide, features.data(), residuals.data(), &s);
  return s;
}

/// The pixels of a variant, augmented as in mosaicraft.
std::vector<uint8_t> variant_of(const std::vector<uint8_t>& p, mt::Variant variant) {
  std::vector<uint8_t> out(p.size());
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        const int from = variant == mt::Variant::kMirrored ? kSide - 1 - x : x;
        const float v = p[c * kArea + y * kSide + from];
        const float gain = variant == mt::Variant::kBrighter ? 1.1f
                           : variant == mt::Variant::kDarker ? 0.9f
                                                             : 1.0f;
        out[c * kArea + y * kSide + x] = static_cast<uint8_t>(std::min(v * gain, 255.0f));
      }
  return out;
}

/// mosaicraft's reinhard_transfer on one channel of CIELAB.
double reinhard(double v, double from, double from_dev, double to, double to_dev, double strength) {
  strength *= std::max(0.3, 1.0 - std::abs(from - to) / 128.0 * 0.3);
  const double ratio = std::clamp(to_dev / from_dev, 0.5, 2.0);
  return v * (1 - strength) + ((v - from) * ratio + to) * strength;
}

struct Moments {
  double mean, deviation;
};
Moments moments(const mt::CellStats& s, int c) {
  const double mean = double(s.lab[c]) / kArea;
  return {mean, std::sqrt(double(s.lab_square[c]) / kArea - mean * mean)};
}

/// Draws one photo into one cell.
/// @param tiles statistics of the photo's variants, from which CellPaint::tile chooses
mt::Draw draw_of(const mt::CellPaint& paint, const mt::CellStats& cell, const mt::CellStats* tiles,
                 const std::vector<uint8_t>& photo, const mt::Planes& source,
                 const mt::Planes& canvas) {
  return {&mt::tables(), &paint, &cell,  tiles, kArea, photo.data(), 1,
          kSide,         source, canvas, {},    {}};
}

class DrawVariants : public testing::TestWithParam<mt::Variant> {};

TEST_P(DrawVariants, MatchTheFormula) {
  const auto executor = mt::make_cpu_executor(1);
  const std::vector<uint8_t> p = photo(3), target = photo(8);
  const std::vector<uint8_t> tile = variant_of(p, GetParam());
  std::vector<mt::CellStats> tiles(4);
  tiles[static_cast<int>(GetParam())] = stats_of(tile);
  const mt::CellStats cell = stats_of(target);

  mosaic::Picture source(kSide, kSide, executor), canvas(kSide, kSide, executor);
  const mt::Planes in = source.planes(), out = canvas.planes();
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < kArea; ++i)
      in.plane[c][i / kSide * in.stride + i % kSide] = target[c * kArea + i];
  const mt::CellPaint paint{{0, 0, kSide, kSide}, 0, static_cast<int>(GetParam()), 0.1f};
  mt::Draw draw = draw_of(paint, cell, tiles.data(), p, in, out);
  draw.look = {{mt::Transfer::kReinhard, 0.65f, 0.48f}, 0.0f, 1};
  executor->launch(draw, 1);

  int different = 0;
  for (int i = 0; i < kArea; ++i) {
    const mt::Triple lab =
        mt::rgb_to_lab(&mt::tables(), tile[i], tile[kArea + i], tile[2 * kArea + i]);
    int moved[3];
    for (int c = 0; c < 3; ++c) {
      const Moments from = moments(tiles[static_cast<int>(GetParam())], c), to = moments(cell, c);
      moved[c] = static_cast<int>(std::clamp(
          reinhard(lab.v[c], from.mean, from.deviation, to.mean, to.deviation, c ? 0.48 : 0.65),
          0.0, 255.0));
    }
    const mt::Triple rgb = mt::lab_to_rgb(&mt::tables(), moved[0], moved[1], moved[2]);
    for (int c = 0; c < 3; ++c) {
      const double mixed = std::nearbyint(rgb.v[c] * 0.9 + target[c * kArea + i] * 0.1);
      const int drawn = out.plane[c][i / kSide * out.stride + i % kSide];
      // A rounding difference of one level in CIELAB becomes up to three levels in RGB.
      ASSERT_NEAR(std::max(0.0, mixed - 1), drawn, 3.0) << i << " " << c;
      different += std::abs(std::max(0.0, mixed - 1) - drawn) > 1;
    }
  }
  EXPECT_LT(different, 3 * kArea / 100);
}

INSTANTIATE_TEST_SUITE_P(All, DrawVariants,
                         testing::Values(mt::Variant::kPlain, mt::Variant::kMirrored,
                                         mt::Variant::kBrighter, mt::Variant::kDarker));

TEST(Draw, RotatesTheHueOfAVariant) {
  const auto executor = mt::make_cpu_executor(1);
  const std::vector<uint8_t> p = photo(5), mirrored = variant_of(p, mt::Variant::kMirrored);
  const std::vector<mt::CellStats> stats(12);
  mosaic::Picture source(kSide, kSide, executor), canvas(kSide, kSide, executor);
  const mt::Planes out = canvas.planes();
  const mt::CellPaint paint{{0, 0, kSide, kSide}, 0, 4 + 4 + 1, 0};  // the second hue
  mt::Draw draw = draw_of(paint, stats[0], stats.data(), p, source.planes(), out);
  draw.variants = mt::tile_variants(true, 2);
  executor->launch(draw, 1);
  for (int i = 0; i < kArea; ++i) {
    const mt::Triple rgb = mt::rotate_hue(&mt::tables(), mt::hue_rotation(2, 1), mirrored[i],
                                          mirrored[kArea + i], mirrored[2 * kArea + i]);
    for (int c = 0; c < 3; ++c)
      ASSERT_EQ(rgb.v[c], out.plane[c][i / kSide * out.stride + i % kSide]) << i << " " << c;
  }
}

TEST(Draw, ClipsToTheFrameAndCropsTheTileCentred) {
  const auto executor = mt::make_cpu_executor(1);
  const std::vector<uint8_t> p = photo(4);
  std::vector<mt::CellStats> tiles(4);
  tiles[0] = stats_of(p);
  mosaic::Picture source(30, 10, executor), canvas(30, 10, executor);
  const mt::Planes in = source.planes(), out = canvas.planes();
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < out.stride * 10; ++i) out.plane[c][i] = 77;
  // A cell of 20 x 16 that begins above and to the left of the frame; no colour transfer, no mixing
  // with the source.
  const mt::CellPaint paint{{-4, -3, 20, 16}, 0, 0, 0};
  mt::Draw draw = draw_of(paint, tiles[0], tiles.data(), p, in, out);
  draw.look = {{mt::Transfer::kReinhard, 0.0f, 0.0f}, 0.0f, 0};
  executor->launch(draw, 1);
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 30; ++x)
      for (int c = 0; c < 3; ++c) {
        const int drawn = out.plane[c][y * out.stride + x];
        if (x >= 16) {
          ASSERT_EQ(77, drawn);
          continue;
        }
        // Column 2 and row 4 of the photo are where a centred 20 x 16 begins.
        const int i = (y + 3 + 4) * kSide + x + 4 + 2;
        const mt::Triple lab = mt::rgb_to_lab(&mt::tables(), p[i], p[kArea + i], p[2 * kArea + i]);
        ASSERT_EQ(mt::lab_to_rgb(&mt::tables(), lab.v[0], lab.v[1], lab.v[2]).v[c], drawn);
      }
}

TEST(Draw, DrawsPhotosThatAreNotSquareInPixels) {
  const auto executor = mt::make_cpu_executor(1);
  const std::vector<uint8_t> p = photo(6);
  const mt::PixelSize size(18, kArea / 18);  // the photo's bytes in rows of 18
  const std::vector<mt::CellStats> stats(4);
  mosaic::Picture source(16, 29, executor), canvas(16, 29, executor);
  const mt::Planes out = canvas.planes();
  for (const mt::Variant variant : {mt::Variant::kPlain, mt::Variant::kMirrored}) {
    const mt::CellPaint paint{{0, 0, 16, 29}, 0, static_cast<int>(variant), 0};
    const mt::Draw draw{&mt::tables(),
                        &paint,
                        stats.data(),
                        stats.data(),
                        kArea,
                        p.data(),
                        1,
                        size,
                        source.planes(),
                        out,
                        {}};
    executor->launch(draw, 1);
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < 29; ++y)
        for (int x = 0; x < 16; ++x) {
          const int column = variant == mt::Variant::kPlain ? x + 1 : 16 - x;
          ASSERT_EQ(p[c * kArea + (y + 1) * 18 + column], out.plane[c][y * out.stride + x]);
        }
  }
}

TEST(Draw, DoesNotDivideByZeroForFlatTilesAndCells) {
  const auto executor = mt::make_cpu_executor(1);
  const std::vector<uint8_t> black(3 * kArea, 0), white(3 * kArea, 255);
  const mt::CellStats dark = stats_of(black), light = stats_of(white);
  mosaic::Picture source(kSide, kSide, executor), canvas(kSide, kSide, executor);
  const mt::CellPaint paint{{0, 0, kSide, kSide}, 0, 0, 0};
  mt::Draw draw = draw_of(paint, light, &dark, black, source.planes(), canvas.planes());
  draw.look = {{mt::Transfer::kReinhard, 1.0f, 1.0f}, 0.0f, 0};
  executor->launch(draw, 1);
  // The transfer weakens as lightness differs more: black moves 1 - 0.3 * 255 / 128 of the way to
  // white.
  const int l = static_cast<int>(255 * (1 - 0.3 * 255 / 128.0));
  EXPECT_NEAR(mt::lab_to_rgb(&mt::tables(), l, 128, 128).v[0], canvas.planes().plane[0][5], 2);
}

}  // namespace
