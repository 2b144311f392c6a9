// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The built-in pool. A picture is a pattern with a value of 0..255 at each pixel, mapped to a
/// range of colours that is placed so that their mean is the intended colour. Integers only: the
/// same bytes on every machine.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "mosaic/photos/photo.h"

namespace mosaic {
namespace {

constexpr int kSide = 96;
constexpr int kPixels = kSide * kSide;

/// Colours: a cube of kLevels^3, once spread evenly over all of RGB and once drawn towards grey, as
/// most colours in photos are muted.
constexpr int kLevels = 8;
constexpr int kCube = kLevels * kLevels * kLevels;
constexpr int kPictures = 2 * kCube;

using Color = std::array<int, 3>;

/// 32 well mixed bits (the finaliser of MurmurHash3).
uint32_t mix(uint32_t v) {
  v = (v ^ v >> 16) * 0x85ebca6bu;
  v = (v ^ v >> 13) * 0xc2b2ae35u;
  return v ^ v >> 16;
}

/// Random numbers of one picture.
class Dice {
 public:
  explicit Dice(int picture) : state_(mix(static_cast<uint32_t>(picture) * 0x9e3779b9u + 1)) {}
  /// low <= result <= high
  int roll(int low, int high) {
    state_ = mix(state_ + 0x9e3779b9u);
    return low + static_cast<int>(state_ % static_cast<uint32_t>(high - low + 1));
  }

 private:
  uint32_t state_;
};

/// The mean colour that picture i is meant to have. Channels are 10..245: a mean of 0 or 255 would
/// leave no room for a pattern.
Color intended(int i) {
  const int cell = i % kCube;
  const int level[3] = {cell / (kLevels * kLevels), cell / kLevels % kLevels, cell % kLevels};
  Color color;
  for (int c = 0; c < 3; ++c) color[c] = 10 + 235 * level[c] / (kLevels - 1);
  if (i < kCube) return color;
  // BT.601 luma, and a third of the colour's distance from it.
  const int luma = (299 * color[0] + 587 * color[1] + 114 * color[2] + 500) / 1000;
  for (int c = 0; c < 3; ++c) color[c] = luma + (color[c] - luma) / 3;
  return color;
}

int square_root(int v) {
  int root = 0;
  for (int bit = 1 << 10; bit; bit >>= 1)
    if ((root + bit) * (root + bit) <= v) root += bit;
  return root;
}

/// Distance from x to the nearest multiple of `period`, 0..period / 2.
int wave(int x, int period) {
  const int r = ((x % period) + period) % period;
  return std::min(r, period - r);
}

/// Position of x relative to the centre of its cell in a lattice: -period/2..period/2.
int cell_offset(int x, int period) {
  return ((x % period) + period) % period - period / 2;
}

/// 256 (3t^2 - 2t^3) of t = at / length, 0..256.
int smooth(int at, int length) {
  const int t = at * 256 / length;
  return t * t * (3 * 256 - 2 * t) / (256 * 256);
}

/// The patterns and their parameters. Coordinates are in eighths of a pixel from the centre,
/// rotated. A pattern returns the signed distance from its edge in eighths of a pixel, or a number
/// that is roughly in proportion to it.
struct Pen {
  int period;  ///< of repetitions, eighths of a pixel
  int width;   ///< of lines and marks, eighths of a pixel
  int ratio;   ///< 1..3
  int noise[7][7];

  int stripes(int x, int) const { return period / 4 - wave(x, period); }
  int waves(int x, int y) const {
    return period / 4 - wave(x + smooth(wave(y, period), period / 2) * period / 384, period);
  }
  int zigzag(int x, int y) const { return period / 4 - wave(x + wave(2 * y, 2 * period), period); }
  int checks(int x, int y) const {
    const int a = period / 4 - wave(x, period), b = period / 4 - wave(y, period);
    return std::min(std::abs(a), std::abs(b)) * ((a > 0) == (b > 0) ? 1 : -1);
  }
  int dots(int x, int y) const {
    const int row = (y + 64 * period) / period;
    const int dx = cell_offset(x + row % 2 * (period / 2), period), dy = cell_offset(y, period);
    return width - square_root(dx * dx + dy * dy);
  }
  int disc(int x, int y) const { return 150 + 30 * ratio - square_root(x * x + y * y); }
  int rings(int x, int y) const { return period / 4 - wave(square_root(x * x + y * y), period); }
  int squares(int x, int y) const {
    return period / 4 - wave(std::max(std::abs(x), std::abs(y)), period);
  }
  int diamonds(int x, int y) const {
    const int dx = std::abs(cell_offset(x, period)), dy = std::abs(cell_offset(y, 2 * period));
    return period / 2 - dx - dy / 2 - width / 4;
  }
  int crosses(int x, int y) const {
    const int dx = std::abs(cell_offset(x, period)), dy = std::abs(cell_offset(y, period));
    return std::max(std::min(width / 2 - dx, period * 3 / 8 - dy),
                    std::min(width / 2 - dy, period * 3 / 8 - dx));
  }
  int bricks(int x, int y) const {
    const int row = (y + 64 * period) / period;
    const int dx = period - std::abs(cell_offset(x + row % 2 * period, 2 * period));
    const int dy = period / 2 - std::abs(cell_offset(y, period));
    return std::min(dx, dy) - width / 4;
  }
  /// A flower: the radius varies with the cosine of 2 * ratio times the angle, computed by the
  /// Chebyshev polynomial T2, T4 or T6 of x / r.
  int petals(int x, int y) const {
    const int r = std::max(square_root(x * x + y * y), 1);
    const int c = 2 * (x * 256 / r) * (x * 256 / r) / 256 - 256;  // cos 2a
    const int swing[] = {c, 2 * c * c / 256 - 256, (4 * c * c / 256 - 3 * 256) * c / 256};
    const int petal = 220 + 100 * swing[ratio - 1] / 256 - r;
    return r < 60 ? std::min(petal, r - 45) : petal;
  }
  int ramp(int x, int) const { return x / 3; }
  int ball(int x, int y) const {
    return 128 - square_root((x + 80) * (x + 80) + (y + 80) * (y + 80)) / 3;
  }
  int shard(int x, int y) const {
    return std::min({2 * x + y, y - 2 * x, 0}) / 2 + std::min(260 - y, 60 + 20 * ratio);
  }
  /// Value noise: a lattice of random numbers, interpolated.
  int blobs(int x, int y) const {
    constexpr int kCell = 160;  // eighths of a pixel
    const int px = std::clamp(x + 480, 0, 959), py = std::clamp(y + 480, 0, 959);
    const int sx = smooth(px % kCell, kCell), sy = smooth(py % kCell, kCell);
    const int* upper = &noise[py / kCell][px / kCell];
    const int* lower = &noise[py / kCell + 1][px / kCell];
    const int top = upper[0] * (256 - sx) + upper[1] * sx;
    const int bottom = lower[0] * (256 - sx) + lower[1] * sx;
    return (top * (256 - sy) + bottom * sy) / (256 * 256);
  }
};

struct Kind {
  int (Pen::*pattern)(int, int) const;
  int steepness;  ///< factor from distance to 0..255; 16: edges are two pixels wide
};
constexpr Kind kKindList[] = {
    {&Pen::stripes, 16},  {&Pen::waves, 16},   {&Pen::zigzag, 16}, {&Pen::checks, 16},
    {&Pen::dots, 16},     {&Pen::disc, 16},    {&Pen::rings, 16},  {&Pen::squares, 16},
    {&Pen::diamonds, 16}, {&Pen::crosses, 16}, {&Pen::bricks, 16}, {&Pen::petals, 16},
    {&Pen::ramp, 1},      {&Pen::ball, 1},     {&Pen::shard, 16},  {&Pen::blobs, 4}};
constexpr int kKinds = static_cast<int>(std::size(kKindList));

/// Cosine and sine of rotations, times 25: none, nearly 45 degrees, and those of 3-4-5 and 7-24-25
/// triangles.
constexpr int kTurns[][2] = {{25, 0}, {24, 7}, {20, 15}, {18, 18}, {15, 20}, {7, 24}};

/// The kind of picture i. Similar colours have different kinds, so that pictures placed side by
/// side do not look alike.
const Kind& kind_of(int i, Pen& pen) {
  const Color color = intended(i);
  const bool corner =
      std::all_of(color.begin(), color.end(), [](int v) { return v < 25 || v > 230; });
  const int cell = i % kCube;
  if (!corner) return kKindList[(cell + cell / 8 * 5 + cell / 64 * 3 + i / kCube * 7) % kKinds];
  // Black, white and pure colours leave room only for a small mark on an even ground.
  constexpr int kMarks[] = {5, 11, 14};  // disc, petals, shard
  pen.ratio = 1;
  return kKindList[kMarks[(cell + cell / 8) % 3]];
}

/// The pattern of picture i, 0..255 at each pixel.
std::array<uint8_t, kPixels> draw(int i, Dice& dice) {
  Pen pen;
  pen.period = 8 * dice.roll(16, 30);
  pen.width = pen.period * dice.roll(30, 40) / 100;
  pen.ratio = dice.roll(1, 3);
  for (auto& row : pen.noise)
    for (int& v : row) v = dice.roll(-127, 127);
  const Kind& kind = kind_of(i, pen);
  const auto& turn = kTurns[dice.roll(0, 5)];
  const int mirror = dice.roll(0, 1) ? 1 : -1;
  const int dx = dice.roll(-60, 60), dy = dice.roll(-60, 60);
  std::array<uint8_t, kPixels> out;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const int px = 8 * x - 4 * kSide + 4, py = (8 * y - 4 * kSide + 4) * mirror;
      const int at = (pen.*kind.pattern)((px * turn[0] + py * turn[1]) / 25 + dx,
                                         (py * turn[0] - px * turn[1]) / 25 + dy);
      out[y * kSide + x] = static_cast<uint8_t>(std::clamp(128 + at * kind.steepness, 0, 255));
    }
  return out;
}

/// How much one channel differs between the values 0 and 255 of the pattern: `wanted`, or what fits
/// when the pattern has the mean m (0..255) and the channel is to have the mean c. Negative: the
/// channel falls where the pattern rises.
int span(int c, int m, int wanted) {
  const auto room = [c](int below) {  // the part of the span that lies below the mean, in 1/255
    return std::min(below > 0 ? c * 255 / below : 1000,
                    below < 255 ? (255 - c) * 255 / (255 - below) : 1000);
  };
  const int up = std::min(std::abs(wanted), room(m)),
            down = std::min(std::abs(wanted), room(255 - m));
  if (wanted > 0) return 3 * up >= 2 * down ? up : -down;
  return 3 * down >= 2 * up ? -down : up;
}

class ProceduralPhotos : public PhotoSource {
 public:
  int count() const override { return kPictures; }
  std::string name(int index) const override { return "built-in " + std::to_string(index); }
  /// Contains the version of these pictures: raise it when they change.
  std::string fingerprint(int index) const override {
    return "built-in 1 " + std::to_string(index);
  }

  Photo decode(int index) const override {
    Dice dice(index);
    std::array<uint8_t, kPixels> pattern = draw(index, dice);
    const Color color = intended(index);
    int sum = 0;
    for (uint8_t v : pattern) sum += v;
    // For a dark mean, few bright marks on dark ground leave the most room; for a bright one, the
    // reverse.
    const bool dark = color[0] + color[1] + color[2] < 3 * 128;
    if ((sum > 128 * kPixels) == dark) {
      for (uint8_t& v : pattern) v = static_cast<uint8_t>(255 - v);
      sum = 255 * kPixels - sum;
    }
    const int mean = (sum + kPixels / 2) / kPixels;
    const int strength = dice.roll(90, 130);
    Photo photo{kSide, kSide, std::vector<uint8_t>(size_t{3} * kPixels)};
    for (int c = 0; c < 3; ++c) {
      const int run = span(color[c], mean, strength - dice.roll(0, 40));
      // color + run * (pattern - mean) / 255, rounded; its mean is close to color.
      for (int p = 0; p < kPixels; ++p) {
        const int v = color[c] * 255 + run * (pattern[p] - mean) + 127;
        photo.rgb[size_t{3} * p + c] = static_cast<uint8_t>(std::clamp(v / 255, 0, 255));
      }
    }
    return photo;
  }
};

}  // namespace

std::unique_ptr<PhotoSource> make_procedural_photos() {
  return std::make_unique<ProceduralPhotos>();
}

}  // namespace mosaic
