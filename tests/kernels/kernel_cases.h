// SPDX-License-Identifier: LGPL-2.1-or-later
// Launches of every kernel. Tests run them on several threads under ThreadSanitizer and compare CPU
// and GPU; benchmarks time them.
#pragma once

#include <algorithm>
#include <string>

#include "kernels/all/kernels.h"
#include "tests/kernels/case.h"
#include "tests/kernels/drawing/cell_picture_cases.h"
#include "tests/kernels/drawing/correction_cases.h"
#include "tests/kernels/drawing/gather_cases.h"
#include "tests/kernels/drawing/seam_cases.h"
#include "tests/kernels/features/detail_cases.h"
#include "tests/kernels/finishing/look_cases.h"
#include "tests/kernels/kernel_memory.h"
#include "tests/kernels/layouts.h"
#include "tests/kernels/matching/candidate_cases.h"
#include "tests/kernels/motion/motion_cases.h"
#include "tests/kernels/network/network_cases.h"

namespace test {

inline constexpr const char* kCaseLayouts[] = {"NV12",  "I420", "RGBA",  "BGR",
                                               "GRAY8", "P010", "ARGB64"};

/// A frame in the layout of a case; in case 0 with rows aligned as by a decoder.
inline mt::FrameView case_frame(KernelMemory& m, const CaseSize& s, int which) {
  const Layout& layout = layout_of(kCaseLayouts[which]);
  const int step =
      layout.kind == mt::PixelKind::kRgb ? layout.component[0].step : layout.bytes_per_sample();
  const int stride = which == 0 ? KernelMemory::stride(s.width) : (s.width + 1) * step;
  const size_t plane = size_t(stride) * s.height;
  return view_of(layout, s.width, s.height, m.filled<uint8_t>(plane * layout.planes(), 256), stride,
                 plane);
}

/// Bytes of a case_frame() without padding.
inline size_t case_frame_bytes(const CaseSize& s, int which) {
  const size_t chroma = size_t{2} * ((s.width + 1) / 2) * ((s.height + 1) / 2);
  const size_t yuv = s.pixels() + chroma;
  const size_t bytes[] = {yuv,        yuv,     4 * s.pixels(), 3 * s.pixels(),
                          s.pixels(), 2 * yuv, 8 * s.pixels()};
  return bytes[which];
}

template <>
struct Cases<mt::Unpack> {
  static constexpr int kCount = std::size(kCaseLayouts);
  static Launch<mt::Unpack> make(KernelMemory& m, const CaseSize& s, int which) {
    const mt::FrameView from = case_frame(m, s, which);
    const mt::Planes to = m.planes(s.width, s.height);
    return {{from, to, m.zeroed<uint8_t>(size_t(to.stride) * s.height)},
            s.height,
            case_frame_bytes(s, which) + 4 * s.pixels()};
  }
};

template <>
struct Cases<mt::Pack> {
  static constexpr int kCount = std::size(kCaseLayouts);
  static Launch<mt::Pack> make(KernelMemory& m, const CaseSize& s, int which) {
    const mt::Planes from = m.planes(s.width, s.height);
    const mt::FrameView to = case_frame(m, s, which);
    const int bytes = layout_of(kCaseLayouts[which]).bytes_per_sample();
    const mt::Component alpha{m.filled<uint8_t>(20 * 10 * bytes, 256), 20 * bytes, bytes, 0, 0};
    return {{from, to, alpha, 20, 10},
            (s.height + mt::Pack::kRows - 1) / mt::Pack::kRows,
            case_frame_bytes(s, which) + 3 * s.pixels()};
  }
};

template <>
struct Cases<mt::CopySamples> {
  static constexpr int kCount = std::size(kCaseLayouts);
  static Launch<mt::CopySamples> make(KernelMemory& m, const CaseSize& s, int which) {
    return {{case_frame(m, s, which), case_frame(m, s, which)},
            s.height,
            2 * case_frame_bytes(s, which)};
  }
};

template <>
struct Cases<mt::Thumbnail> {
  static constexpr int kCount = 2;
  static Launch<mt::Thumbnail> make(KernelMemory& m, const CaseSize& s, int which) {
    const int columns = which ? (s.width + 1) / 2 : std::min(s.width, 480);
    const int rows = which ? (s.height + 2) / 3 : std::min(s.height, 272);
    const int stride = KernelMemory::stride(s.width);
    const size_t small = size_t(columns) * rows;
    mt::Thumbnail t{m.filled<uint8_t>(size_t(stride) * s.height, 256),
                    stride,
                    s.width,
                    s.height,
                    m.zeroed<uint8_t>(small),
                    columns,
                    rows,
                    {},
                    m.zeroed<int64_t>(size_t{mt::kEarlierFrames} * rows)};
    const int earlier = which ? mt::kEarlierFrames : 1;
    for (int i = 0; i < earlier; ++i) t.earlier[i] = m.filled<uint8_t>(small, 256);
    return {t, rows, s.pixels() + (1 + earlier) * small};
  }
};

template <>
struct Cases<mt::SceneChange> {
  static constexpr int kCount = 5;  ///< case 3: the cut scene is kept; 4: a scene returns
  static Launch<mt::SceneChange> make(KernelMemory& m, const CaseSize&, int which) {
    constexpr int kRows = 300;  // more than a block has threads
    auto difference = m.values<int64_t>(size_t{mt::kEarlierFrames} * kRows, 1000);
    if (which == 4) std::fill_n(&difference[2 * kRows], kRows, 1);
    const int64_t limit = which == 0 ? INT64_MAX : 5000;
    return {{m.holding(difference),
             kRows,
             which == 1,
             which == 2,
             {0, which == 4},
             1,
             limit,
             limit / 2,
             m.zeroed<mt::SceneState>(1)},
            1,
            difference.size() * sizeof(int64_t)};
  }
};

template <>
struct Cases<mt::Resample> {
  static constexpr int kCount = 2;
  static Launch<mt::Resample> make(KernelMemory& m, const CaseSize& s, int which) {
    const int width = which ? s.width * 13 / 10 + 1 : (s.width + 1) / 2;
    const int height = which ? s.height * 13 / 10 + 1 : (s.height + 1) / 2;
    const mt::Planes from = m.planes(width, height), to = m.planes(s.width, s.height);
    return {{from, to}, s.height, 3 * (size_t(width) * height + s.pixels())};
  }
};

template <>
struct Cases<mt::Analyse> {
  static constexpr int kCount = 4;  ///< all cells; every other; with a tolerance; the same at a cut
  static Launch<mt::Analyse> make(KernelMemory& m, const CaseSize& s, int which) {
    const size_t n = s.area(), cells = s.cells();
    const int stride = KernelMemory::stride(s.width);
    const auto source = m.values<uint8_t>(size_t{3} * stride * s.height, 256);
    std::vector<uint8_t> held(3 * n * cells);
    if (which > 0) hold_every_other(s, source, stride, held);
    if (which > 1)
      for (uint8_t& v : held) v = static_cast<uint8_t>(v ^ 1);
    mt::Analyse a{};
    a.tables = m.tables();
    a.source = KernelMemory::planes_at(m.holding(source), s.width, s.height);
    a.left = s.left();
    a.top = s.top();
    a.columns = s.columns();
    a.side = s.side;
    a.analyse_all = which == 0;
    a.pixels = m.holding(held);
    a.lab = m.zeroed<uint8_t>(3 * n * cells);
    a.lightness = m.zeroed<uint8_t>(cells * (s.side + 2) * (s.side + 2));
    a.features = m.zeroed<int16_t>(cells * mt::kFeatureStride);
    a.residuals = m.zeroed<int16_t>(cells * mt::kFeatureStride);
    a.stats = m.zeroed<mt::CellStats>(cells);
    a.analysed = m.zeroed<uint8_t>(cells);
    a.tolerance = which > 1 ? 3 * s.area() : 0;
    a.scene = m.holding(std::vector<mt::SceneState>{{0, which == 3, 0, 0, 0}});
    // Of each cell the source, its copy read and written, CIELAB, lightness again, and the results.
    const size_t results = 2 * mt::kFeatureStride * sizeof(int16_t) + sizeof(mt::CellStats) + 1;
    return {a, s.cells(), cells * ((3 + 3 + 3 + 3 + 1) * n + results)};
  }

 private:
  /// Copies every other cell of the source to `held`, as if it had been the same in the previous
  /// frame.
  static void hold_every_other(const CaseSize& s, const std::vector<uint8_t>& source, int stride,
                               std::vector<uint8_t>& held) {
    for (int cell = 1; cell < s.cells(); cell += 2)
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < s.area(); ++k) {
          const int x = s.left() + cell % s.columns() * s.side + k % s.side;
          const int y = s.top() + cell / s.columns() * s.side + k / s.side;
          const int row = i * s.height + std::clamp(y, 0, s.height - 1);
          held[(size_t{3} * cell + i) * s.area() + k] =
              source[size_t(row) * stride + std::clamp(x, 0, s.width - 1)];
        }
  }
};

template <>
struct Cases<mt::Diffuse> {
  /// A cut; between cuts; nothing changed; a scene that is kept; a scene that returns.
  static constexpr int kCount = 5;
  static Launch<mt::Diffuse> make(KernelMemory& m, const CaseSize& s, int which) {
    // More tiles take longer and test nothing more.
    const int cells = s.cells(), tiles = std::min(s.tiles, 200);
    const size_t read = size_t(cells) * tiles * mt::kFeatureStride * sizeof(int16_t);
    const mt::SceneState scene{0, which == 0 || which == 3, which == 3 ? 2 : 0, which == 4, 0};
    mt::Diffuse d{};
    d.scene = m.holding(std::vector<mt::SceneState>{scene});
    d.changed = which == 2 ? m.zeroed<uint8_t>(cells) : m.filled<uint8_t>(cells, 2);
    d.cells = features(m, cells);
    d.tiles = features(m, tiles);
    d.columns = s.columns();
    d.rows = s.rows();
    d.end = cells;
    d.tile_count = tiles;
    d.radius = which == 1 ? 2 : 40;
    d.max_uses = which == 1 ? cells : (cells + tiles - 1) / tiles;
    d.strength = (int64_t{1} << mt::kStrengthBits) * 85 / 100;
    d.price = int64_t{1} << 50;
    d.tile = m.filled<int32_t>(cells, tiles);
    d.distance = m.zeroed<int64_t>(cells);
    d.errors = m.zeroed<int32_t>(size_t{2} * s.columns() * mt::kFeatureStride);
    d.coarse_distances = m.zeroed<int32_t>(tiles);
    d.nearby_uses = m.zeroed<int32_t>(tiles);
    d.uses = m.zeroed<int32_t>(tiles);
    d.kept = m.filled<int32_t>(size_t{mt::kKeptScenes} * cells, tiles);
    return {d, 1, which == 2 ? cells : read};
  }
};

template <>
struct Cases<mt::Rerank> {
  static constexpr int kCount = 4;
  /// All nearest tiles are wanted; few are, and still fewer are listed for a cell. The same tiles
  /// in two parts: covariances, and the SSIM of some.
  static Launch<mt::Rerank> make(KernelMemory& m, const CaseSize& s, int which) {
    const size_t area = s.area(), cells = s.cells();
    const int wanted = which ? 10 : mt::kRerankNearest;
    std::vector<mt::RerankEntry> entries(cells);
    for (int i = 0; i < s.cells(); ++i) entries[i] = {s.cells() - 1 - i, i % s.tiles};
    auto nearest = m.values<int32_t>(cells * mt::kRerankNearest, s.tiles);
    for (size_t i = 0; which && i < nearest.size(); ++i)
      if (i % mt::kRerankNearest > 6) nearest[i] = -1;
    std::vector<mt::RerankScore> scores(cells * (1 + wanted));
    for (size_t i = 0; which == 3 && i < scores.size(); ++i)
      scores[i].tile = static_cast<int32_t>(i % s.tiles);
    using Part = mt::RerankPart;
    const Part part = which < 2    ? Part::kAll
                      : which == 2 ? Part::kCovariances
                                   : Part::kSimilarities;
    return {{m.holding(entries), m.filled<uint8_t>(cells * 3 * area, 256),
             m.filled<uint8_t>(s.tiles * area, 256), s.side, m.holding(nearest), wanted,
             m.filled<uint8_t>(cells * area, 256), m.holding(scores), part,
             m.filled<uint32_t>(cells, 1 << 11)},
            s.cells(),
            cells * ((3 + 1 + wanted) * area + (1 + wanted) * sizeof(mt::RerankScore))};
  }
};

template <>
struct Cases<mt::RotateHue> {
  static constexpr int kCount = 2;
  static Launch<mt::RotateHue> make(KernelMemory& m, const CaseSize& s, int which) {
    const int tiles = std::min(s.tiles, 5);  // all are treated in the same way
    const size_t bytes = size_t{3} * tiles * s.area();
    return {
        {m.tables(), mt::hue_rotation(which ? 12 : 4, 2), m.filled<uint8_t>(bytes, 256), s.area()},
        tiles,
        2 * bytes};
  }
};

template <>
struct Cases<mt::Draw> {
  /// Colour transfers with and without histogram matching; the last with rotated hues.
  static constexpr mt::DrawLook kLooks[] = {
      {{mt::Transfer::kMongeKantorovich, 0.5f, 0.35f}, 0.3f, 1},
      {{mt::Transfer::kReinhard, 0.65f, 0.48f}, 0.0f, 0},
      {{mt::Transfer::kNone, 0.0f, 0.0f}, 0.55f, 0}};
  static constexpr int kCount = std::size(kLooks);
  static Launch<mt::Draw> make(KernelMemory& m, const CaseSize& s, int which) {
    const mt::TileVariants variants = mt::tile_variants(which != 1, which == 2 ? 1 : 0);
    const int photos = std::max(1, s.tiles / variants.count()), tiles = photos * variants.count();
    std::vector<mt::CellPaint> paint(s.cells());
    for (int i = 0; i < s.cells(); ++i)  // in case 1 cells are narrower than the photos
      paint[i] = {{s.left() + i % s.columns() * s.side, s.top() + i / s.columns() * s.side,
                   s.side - (which == 1), s.side},
                  i,
                  i * (photos + 1) % tiles,
                  0.1f * static_cast<float>(i % 5)};
    return {{m.tables(), m.holding(paint), m.stats(s.cells(), s.area()), m.stats(tiles, s.area()),
             s.area(), m.filled<uint8_t>(size_t{3} * photos * s.area(), 256), photos, s.side,
             m.planes(s.width, s.height), m.planes(s.width, s.height), kLooks[which], variants},
            s.cells(),
            3 * 3 * s.pixels()};  // photos, source, canvas
  }
};

template <>
struct Cases<mt::Crossfade> {
  static constexpr int kCount = 2;
  /// Equal shares of both pictures; then a different share in each cell.
  static Launch<mt::Crossfade> make(KernelMemory& m, const CaseSize& s, int which) {
    std::vector<mt::FadingCell> cells(s.cells());
    for (int i = 0; i < s.cells(); ++i)
      cells[i] = {
          {s.left() + i % s.columns() * s.side, s.top() + i / s.columns() * s.side, s.side, s.side},
          which ? std::min(i * 7001, mt::kWholeShare) : mt::kWholeShare / 2};
    return {{m.holding(cells), m.planes(s.width, s.height), m.planes(s.width, s.height),
             m.planes(s.width, s.height)},
            s.cells(),
            3 * 3 * s.pixels()};
  }
};

template <>
struct Cases<mt::MixRows> {
  static constexpr int kCount = 2;
  static Launch<mt::MixRows> make(KernelMemory& m, const CaseSize& s, int which) {
    return {{m.planes(s.width, s.height), m.planes(s.width, s.height), m.planes(s.width, s.height),
             which ? 12345 : mt::kWholeShare / 2},
            s.height,
            3 * 3 * s.pixels()};
  }
};

template <>
struct Cases<mt::Overlay> {
  static constexpr int kCount = 2;  ///< all marks; only tints
  static Launch<mt::Overlay> make(KernelMemory& m, const CaseSize& s, int which) {
    std::vector<mt::CellMark> marks(s.cells());
    for (int i = 0; i < s.cells(); ++i) {
      const int x = s.left() + i % s.columns() * s.side, y = s.top() + i / s.columns() * s.side;
      const int left = std::max(x, 0), top = std::max(y, 0);
      marks[i] = {
          {left, top, std::min(x + s.side, s.width) - left, std::min(y + s.side, s.height) - top},
          {static_cast<uint8_t>(37 * i), static_cast<uint8_t>(255 - i), 128},
          static_cast<uint8_t>(i % 3 == 0),
          which ? 0 : i % 4 * 5 - 5,
          which ? 0 : 2 * s.side - i % 7 * s.side / 2,
          {250, static_cast<uint8_t>(i), 60},
          0};
    }
    return {{m.holding(marks),
             m.planes(s.width, s.height),
             m.planes(s.width, s.height),
             144,
             which ? 0 : 1,
             which ? 0 : 2,
             1,
             {10, 20, 30},
             {255, 128, 7}},
            s.cells(),
            6 * s.pixels()};
  }
};

/// Calls f(name, Cases<Kernel>()) for every kernel.
template <class F>
void for_each_kernel(F f) {
#define MT_CASES(name) f(#name, Cases<mt::name>());
  MT_KERNELS(MT_CASES)
#undef MT_CASES
}

}  // namespace test
