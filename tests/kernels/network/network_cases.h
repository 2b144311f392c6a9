// SPDX-License-Identifier: LGPL-2.1-or-later
// Launches of the kernels of the network that estimates motion; included by kernel_cases.h.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/all/kernels.h"
#include "tests/kernels/case.h"
#include "tests/kernels/kernel_memory.h"

namespace test {

inline constexpr int kPictures = 2;

/// n values from -1 to 1 times `most`, few of which are powers of two.
inline std::vector<float> fractions(KernelMemory& m, size_t n, float most = 1) {
  const auto whole = m.values<int32_t>(n, 2001);
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = static_cast<float>(whole[i] - 1000) * 0.001f * most;
  return values;
}

/// A layer of kPictures pictures, with zeros in the border.
inline mt::Layer layer_of(KernelMemory& m, int width, int height, int channels, int border,
                          float most = 1) {
  mt::Layer layer{nullptr, width, height, channels, border};
  std::vector<float> values(kPictures * layer.picture());
  layer.data = values.data();
  const auto inside = fractions(m, size_t(kPictures) * height * width * channels, most);
  for (int y = 0; y < kPictures * height; ++y)
    std::copy_n(&inside[size_t(y) * width * channels], width * channels, layer.at(y));
  layer.data = m.holding(values);
  return layer;
}

/// A layer as large as the coarse flow of a frame.
inline mt::Layer coarse_layer(KernelMemory& m, const CaseSize& s, int channels, int border = 0,
                              float most = 1) {
  return layer_of(m, (s.width + 7) / 8, (s.height + 7) / 8, channels, border, most);
}

inline int rows_of(const mt::Layer& layer) {
  return kPictures * layer.height;
}
inline size_t layer_bytes(const mt::Layer& layer) {
  return sizeof(float) * rows_of(layer) * layer.width * layer.channels;
}

template <>
struct Cases<mt::NetworkInput> {
  /// A picture as large as the layer; and a smaller one, which is the second of the batch.
  static constexpr int kCount = 2;
  static Launch<mt::NetworkInput> make(KernelMemory& m, const CaseSize& s, int which) {
    const mt::Layer to = layer_of(m, s.width + 9 * which, s.height + 5 * which, 3, 3);
    return {{m.planes(s.width, s.height), to, which},
            to.height,
            3 * s.pixels() + layer_bytes(to) / kPictures};
  }
};

template <>
struct Cases<mt::Convolution> {
  /// Two layers, the second in part, from a layer of starts; all of one layer, at half the size;
  /// an odd number of blocks; single pixels.
  static constexpr int kCount = 4;
  static Launch<mt::Convolution> make(KernelMemory& m, const CaseSize& s, int which) {
    struct Case {
      int channels[2], used[2], inputs, side, stride, blocks;
    };
    constexpr Case kCases[] = {{{96, 96}, {96, 82}, 2, 3, 1, 4},
                               {{3, 0}, {3, 0}, 1, 7, 2, 2},
                               {{64, 0}, {64, 0}, 1, 3, 1, 3},
                               {{208, 0}, {196, 0}, 1, 1, 1, 1}};
    const Case& c = kCases[which];
    mt::Convolution k{};
    size_t weights = 0;
    for (int i = 0; i < c.inputs; ++i) {
      k.in[i] = {coarse_layer(m, s, c.channels[i], c.side / 2), c.used[i]};
      weights += size_t(c.side) * c.side * c.used[i] * c.blocks * mt::kChannelBlock;
    }
    k.inputs = c.inputs;
    k.side = c.side;
    k.stride = c.stride;
    k.pictures = kPictures;
    k.blocks = c.blocks;
    k.weights = m.holding(fractions(m, weights));
    k.bias = m.holding(fractions(m, size_t(c.blocks) * mt::kChannelBlock));
    const mt::Layer& in = k.in[0].layer;
    const int width = (in.width - 1) / c.stride + 1, height = (in.height - 1) / c.stride + 1;
    const int channels = c.blocks * mt::kChannelBlock;
    if (which == 0) k.start = layer_of(m, width, height, channels, 0);
    k.out = layer_of(m, width, height, channels + 16 * (which % 2), which % 2);
    k.relu = which % 2;
    return {k, k.count(),
            layer_bytes(in) + layer_bytes(k.out) * (1 + (which == 0)) + weights * sizeof(float)};
  }
};

template <>
struct Cases<mt::RowMoments> {
  static constexpr int kCount = 1;
  static Launch<mt::RowMoments> make(KernelMemory& m, const CaseSize& s, int) {
    const mt::Layer in = coarse_layer(m, s, 48, 1);
    return {
        {in, m.zeroed<float>(size_t{2} * rows_of(in) * in.channels)}, rows_of(in), layer_bytes(in)};
  }
};

template <>
struct Cases<mt::PictureMoments> {
  static constexpr int kCount = 1;
  static Launch<mt::PictureMoments> make(KernelMemory& m, const CaseSize& s, int) {
    const int channels = 48;
    auto rows = fractions(m, size_t{2} * kPictures * s.height * channels);
    for (float& v : rows) v += 1;  // no sum of squares is negative
    return {{m.holding(rows), s.width, s.height, channels,
             m.zeroed<float>(size_t{2} * kPictures * channels)},
            kPictures,
            rows.size() * sizeof(float)};
  }
};

template <>
struct Cases<mt::Normalise> {
  /// A layer in place; two layers; two layers, one of them not normalised.
  static constexpr int kCount = 3;
  static Launch<mt::Normalise> make(KernelMemory& m, const CaseSize& s, int which) {
    const int channels = 48;
    const auto moments = [&] { return m.holding(fractions(m, size_t{2} * kPictures * channels)); };
    mt::Normalise n{};
    n.in = coarse_layer(m, s, channels, 1);
    n.moments = moments();
    n.each_picture = 1;
    n.out = which ? coarse_layer(m, s, channels) : n.in;
    if (which) n.other = coarse_layer(m, s, channels);
    n.other_moments = moments();
    n.other_each_picture = which == 1;
    return {n, rows_of(n.in), layer_bytes(n.in) * (which ? 3 : 2)};
  }
};

/// A level of feature maps, with zeros at its edges.
inline mt::FeatureLevel feature_level(KernelMemory& m, int width, int height) {
  mt::FeatureLevel level{nullptr, width, height};
  std::vector<float> values(size_t(kPictures) * height * mt::kMapChannels * level.pitch());
  level.data = values.data();
  for (int y = 0; y < kPictures * height; ++y) {
    const auto row = fractions(m, size_t(mt::kMapChannels) * width);
    for (int c = 0; c < mt::kMapChannels; ++c)
      std::copy_n(&row[size_t(c) * width], width, level.at(y) + c * level.pitch());
  }
  level.data = m.holding(values);
  return level;
}

template <>
struct Cases<mt::SpreadFeatures> {
  static constexpr int kCount = 1;
  static Launch<mt::SpreadFeatures> make(KernelMemory& m, const CaseSize& s, int) {
    const mt::Layer in = coarse_layer(m, s, mt::kMapChannels);
    return {{in, feature_level(m, in.width, in.height)}, rows_of(in), 2 * layer_bytes(in)};
  }
};

template <>
struct Cases<mt::HalveFeatures> {
  static constexpr int kCount = 1;
  static Launch<mt::HalveFeatures> make(KernelMemory& m, const CaseSize& s, int) {
    const int width = (s.width + 7) / 8, height = (s.height + 7) / 8;
    const mt::FeatureLevel out = feature_level(m, width / 2, height / 2);
    return {{feature_level(m, width, height), out},
            kPictures * out.height,
            sizeof(float) * kPictures * mt::kMapChannels * width * height * 5 / 4};
  }
};

template <>
struct Cases<mt::LookUp> {
  /// Flow within a few pixels; far beyond all edges.
  static constexpr int kCount = 2;
  static Launch<mt::LookUp> make(KernelMemory& m, CaseSize s, int which) {
    s.width = std::max(s.width, 64);  // a pixel at the coarsest level
    s.height = std::max(s.height, 64);
    mt::LookUp k{};
    k.features = coarse_layer(m, s, mt::kMapChannels);
    int width = k.features.width, height = k.features.height;
    for (mt::FeatureLevel& level : k.level) {
      level = feature_level(m, width, height);
      width /= 2;
      height /= 2;
    }
    k.flow = coarse_layer(m, s, 2, 3, which ? 1e20f : 6);
    k.out = coarse_layer(m, s, mt::kLookUps + 12);
    return {k, rows_of(k.flow) * k.runs(), 2 * layer_bytes(k.features) + layer_bytes(k.out)};
  }
};

template <>
struct Cases<mt::SplitContext> {
  static constexpr int kCount = 1;
  static Launch<mt::SplitContext> make(KernelMemory& m, const CaseSize& s, int) {
    const mt::Layer in = coarse_layer(m, s, mt::kHidden + mt::kContext, 0, 12);
    return {{in, coarse_layer(m, s, mt::kHidden, 1), coarse_layer(m, s, mt::kContext, 1)},
            rows_of(in),
            2 * layer_bytes(in)};
  }
};

template <>
struct Cases<mt::ResetHidden> {
  static constexpr int kCount = 1;
  static Launch<mt::ResetHidden> make(KernelMemory& m, const CaseSize& s, int) {
    const mt::Layer hidden = coarse_layer(m, s, mt::kHidden, 1);
    return {
        {coarse_layer(m, s, 2 * mt::kHidden, 0, 20), hidden, coarse_layer(m, s, mt::kHidden, 1)},
        rows_of(hidden),
        3 * layer_bytes(hidden)};
  }
};

template <>
struct Cases<mt::UpdateHidden> {
  static constexpr int kCount = 1;
  static Launch<mt::UpdateHidden> make(KernelMemory& m, const CaseSize& s, int) {
    const mt::Layer hidden = coarse_layer(m, s, mt::kHidden, 1);
    return {{coarse_layer(m, s, 2 * mt::kHidden, 0, 20), coarse_layer(m, s, mt::kHidden, 0, 12),
             hidden, hidden},
            rows_of(hidden),
            4 * layer_bytes(hidden)};
  }
};

template <>
struct Cases<mt::MoveFlow> {
  /// Adds a change; sets the flow; sets it to 0.
  static constexpr int kCount = 3;
  static Launch<mt::MoveFlow> make(KernelMemory& m, const CaseSize& s, int which) {
    const int step = which ? 2 : 16;
    const mt::Layer flow = coarse_layer(m, s, 2, 3, 5000);
    const size_t pixels = size_t(rows_of(flow)) * flow.width;
    const float* change = m.holding(fractions(m, pixels * step, 5000));
    return {{which == 2 ? nullptr : change, step, which == 0, flow, coarse_layer(m, s, 96, 1), 80,
             m.zeroed<float>(2 * pixels)},
            rows_of(flow),
            4 * layer_bytes(flow)};
  }
};

template <>
struct Cases<mt::EnlargeFlow> {
  static constexpr int kCount = 1;
  static Launch<mt::EnlargeFlow> make(KernelMemory& m, const CaseSize& s, int) {
    const int width = (s.width + 7) / 8, height = (s.height + 7) / 8;
    const size_t coarse = size_t{2} * kPictures * width * height;
    return {{m.holding(fractions(m, coarse, 9)), width, height, m.zeroed<float>(64 * coarse)},
            kPictures * 8 * height,
            65 * coarse * sizeof(float)};
  }
};

template <>
struct Cases<mt::AddWindow> {
  static constexpr int kCount = 1;
  static Launch<mt::AddWindow> make(KernelMemory& m, const CaseSize& s, int) {
    const int pitch = s.width + 3, frame = s.width + 8;
    const size_t pixels = size_t(s.height) * pitch;
    return {{m.holding(fractions(m, 2 * pixels, 32768)), pitch, s.width, s.height,
             m.holding(m.values<uint16_t>(s.width, mt::kWindowWeight + 1)),
             m.holding(m.values<uint16_t>(s.height, mt::kWindowWeight + 1)),
             m.zeroed<int64_t>(size_t{2} * s.height * frame), frame},
            s.height,
            pixels * 2 * (sizeof(float) + 2 * sizeof(int64_t))};
  }
};

template <>
struct Cases<mt::JoinWindows> {
  static constexpr int kCount = 1;
  static Launch<mt::JoinWindows> make(KernelMemory& m, const CaseSize& s, int) {
    const size_t values = size_t{2} * s.width * s.height;
    std::vector<int64_t> sums(values);
    for (int64_t& sum : sums)
      sum = m.values<int64_t>(1, 2 * 32768 * mt::kFlowUnit)[0] * (int64_t{1} << 28) / 2 -
            (int64_t{1} << 50);
    return {{m.holding(sums), s.width, m.zeroed<int32_t>(values)},
            s.height,
            values * (2 * sizeof(int64_t) + sizeof(int32_t))};
  }
};

template <>
struct Cases<mt::CellFlow> {
  /// Flow that leads back within a pixel; any flow.
  static constexpr int kCount = 2;
  static Launch<mt::CellFlow> make(KernelMemory& m, const CaseSize& s, int which) {
    const size_t values = size_t{2} * s.width * s.height;
    const int columns = s.columns(), rows = s.rows();
    const int most = which ? 100000 : 200;
    auto backward = m.values<int32_t>(values, 2 * most), forward = backward;
    for (size_t i = 0; i < values; ++i) {
      backward[i] -= most;
      forward[i] = which ? m.values<int32_t>(1, 2 * most)[0] - most : -backward[i];
    }
    const auto samples = [&](int cells, int size) {
      return m.holding(m.values<int32_t>(size_t(cells) * mt::kCellSamples, size));
    };
    return {
        {m.holding(backward), m.holding(forward), s.width, s.height, samples(columns, s.width),
         samples(rows, s.height), columns, int64_t{s.side} * s.width, s.width,
         int64_t{s.side} * s.height, s.height, m.zeroed<mt::CellMotion>(size_t(columns) * rows)},
        columns * rows,
        size_t(columns) * rows * mt::kCellSamples * mt::kCellSamples * 24};
  }
};

}  // namespace test
