// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/finishing/lut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cpu/cpu_executor.h"
#include "tests/kernels/finishing/grading.h"
#include "tests/kernels/pictures.h"

namespace {

constexpr int kSide = 33, kNodes = kSide * kSide * kSide;

double node_level(int i) {
  return std::min(255, 8 * i);
}
/// Calls f(node, r, g, b) for every node, with its place along each axis.
template <class F>
void for_each_node(F f) {
  for (int node = 0; node < kNodes; ++node)
    f(node, node / (kSide * kSide), node / kSide % kSide, node % kSide);
}

constexpr mt::LutLook kLook{{69206, 1966, -150995}, test::kLooks[0], 0.1f};

/// A colour with more detail and graded, before harmony.
test::Colour graded(test::Colour rgb, double most, double skin) {
  for (double& v : rgb)
    v = std::clamp(std::floor((v * 69206 - v * 1966 - 150995) / 65536), 0.0, 255.0);
  return test::graded(rgb, kLook.grade, most, skin);
}

TEST(SkinLut, HoldsTheShareOfSkinAmongTheColoursAroundANode) {
  const auto executor = mt::make_cpu_executor(1);
  std::vector<uint16_t> lut(4 * kNodes, 7);
  executor->launch(mt::SkinLut{executor->tables(), lut.data()}, kSide);
  int some = 0;
  for_each_node([&](int node, int r, int g, int b) {
    int skin = 0;
    const auto near = [](int i, int k) { return std::clamp(node_level(i) + 4.0 * k, 0.0, 255.0); };
    for (int k = 0; k < 125; ++k)
      skin += test::is_skin({near(r, k / 25 - 2), near(g, k / 5 % 5 - 2), near(b, k % 5 - 2)});
    ASSERT_EQ(test::rounded(skin * 255.0 * 16 / 125), lut[4 * node + 3]) << node;
    for (int c = 0; c < 3; ++c) ASSERT_EQ(lut[4 * node + c], 7);
    some += skin > 0 && skin < 125;
  });
  EXPECT_GT(some, 100);
}

TEST(SampleGrade, SumsAAndBAndSkinOfGradedPixels) {
  const auto executor = mt::make_cpu_executor(1);
  constexpr float kMost = 0.2f;
  test::Differences differences;
  const auto expect_sums = [&](test::HostPicture& from, int step) {
    const int rows = (from.size().height + step - 1) / step;
    std::vector<int64_t> sums(3 * rows, -1);
    executor->launch(mt::SampleGrade{executor->tables(), kLook, &kMost, test::planes_of(from), step,
                                     sums.data()},
                     rows);
    for (int row = 0; row < rows; ++row) {
      double a = 0, b = 0, skin = 0, count = 0;
      for (int x = 0; x < from.size().width; x += step, ++count) {
        const test::Colour rgb = test::colour_at(from, x, row * step);
        const test::Colour lab = test::lab8_of(graded(rgb, double{kMost}, test::is_skin(rgb)));
        a += lab[1];
        b += lab[2];
        skin += test::is_skin(rgb);
      }
      differences.add(a / count, double(sums[3 * row]) / count);
      differences.add(b / count, double(sums[3 * row + 1]) / count);
      ASSERT_EQ(skin * 65280, double(sums[3 * row + 2])) << row;
    }
  };
  for (const test::Pattern& pattern : test::kPatterns) {
    test::HostPicture pixels({1, 900}, pattern.level), wide({97, 35}, pattern.level);
    expect_sums(pixels, 1);
    for (const int step : {1, 3, 8, 100}) expect_sums(wide, step);
  }
  // Sums of single pixels differ where a level is truncated differently; see grade_test.cpp.
  test::expect_within(differences, {4, 0.03, 5e-4, 0.005});
}

TEST(PlanLut, FillsTheTableWhenStatisticsMovedVisibly) {
  const auto executor = mt::make_cpu_executor(1);
  const mt::LutState old{0.2f, 120, 140, 7};
  struct Case {
    float chroma, a, b;
    int always, fill;
  };
  for (const Case& c :
       {Case{0.2f, 120, 140, 0, 0}, Case{0.2f, 120, 140, 1, 1}, Case{0.2039f, 120, 140, 0, 0},
        Case{0.2041f, 120, 140, 0, 1}, Case{0.1961f, 120, 140, 0, 0}, Case{0.1959f, 120, 140, 0, 1},
        Case{0.2f, 121, 140, 0, 0}, Case{0.2f, 121.01f, 140, 0, 1}, Case{0.2f, 118.99f, 140, 0, 1},
        Case{0.2f, 119, 139, 0, 0}, Case{0.2f, 120, 141.01f, 0, 1},
        Case{0.2f, 120, 138.99f, 0, 1}}) {
    mt::LutState state = old;
    const mt::GradeMeans means{c.a, c.b, 1, 0};
    executor->launch(mt::PlanLut{&c.chroma, &means, c.always, &state}, 1);
    EXPECT_EQ(c.fill, state.fill) << c.chroma << ", " << c.a << ", " << c.b;
    EXPECT_EQ(c.fill ? c.chroma : old.chroma, state.chroma);
    EXPECT_EQ(c.fill ? c.a : old.a, state.a);
    EXPECT_EQ(c.fill ? c.b : old.b, state.b);
  }
}

TEST(FillLut, GradesTheColoursOfTheNodes) {
  const auto executor = mt::make_cpu_executor(1);
  for (const float harmony : {0.1f, 0.0f}) {
    mt::LutLook look = kLook;
    look.harmony = harmony;
    std::vector<uint16_t> lut(4 * kNodes);
    for (int i = 0; i < 4 * kNodes; ++i)
      lut[i] = static_cast<uint16_t>(test::noise_level(0, i, 0) * 16);
    const std::vector<uint16_t> before = lut;
    mt::LutState state{0.2f, 120.6f, 141.3f, 0};
    executor->launch(mt::FillLut{executor->tables(), look, &state, lut.data()}, kSide);
    ASSERT_EQ(before, lut);
    state.fill = 1;
    executor->launch(mt::FillLut{executor->tables(), look, &state, lut.data()}, kSide);
    test::Differences differences, last_nodes;
    for_each_node([&](int node, int r, int g, int b) {
      const double skin = before[4 * node + 3] / (255.0 * 16);
      const auto colour = [&](double red, double green, double blue) {
        const test::Colour rgb = graded({red, green, blue}, 0.2, skin);
        return harmony > 0 ? test::harmonised(rgb, 120.6, 141.3, double{harmony}) : rgb;
      };
      const test::Colour at = colour(node_level(r), node_level(g), node_level(b));
      // Level 256 continues the change from 248 to 255.
      const auto inner = [](int i) { return 8.0 * std::min(i, kSide - 2); };
      const bool edge = std::max({r, g, b}) == kSide - 1;
      const test::Colour last = edge ? colour(inner(r), inner(g), inner(b)) : at;
      const int place[3] = {r, g, b};
      for (int c = 0; c < 3; ++c) {
        const double beyond = (at[c] - last[c]) / 7;
        const double expected =
            std::clamp(16 * at[c] + std::trunc(16 * beyond), 0.0, 511.0 * 16) / 16;
        differences.add(expected, lut[4 * node + c] / 16.0);
        if (place[c] == kSide - 1) last_nodes.add(expected, lut[4 * node + c] / 16.0);
      }
      ASSERT_EQ(before[4 * node + 3], lut[4 * node + 3]);
    });
    // Greys, of which there are many here, are at the edge between two levels; see grade_test.cpp.
    test::expect_within(differences, {60, harmony > 0 ? 0.14 : 0.05, 0.015, 0.07});
    test::expect_within(last_nodes, {6, harmony > 0 ? 0.18 : 0.03, 0.02, 0.015});
  }
}

TEST(ApplyLut, InterpolatesInTetrahedra) {
  const auto executor = mt::make_cpu_executor(1);
  std::vector<uint16_t> lut(4 * kNodes);
  for (int i = 0; i < 4 * kNodes; ++i)
    lut[i] = static_cast<uint16_t>(std::min(8176, test::noise_level(i % 4, i / 4, 3) * 33));
  const auto value = [&](const int* node, int c) {
    return double(lut[4 * ((node[0] * kSide + node[1]) * kSide + node[2]) + c]);
  };
  // From the node below the colour to the one above, first along the axis of the largest fraction.
  const auto looked_up = [&](const test::Colour& rgb, int c) {
    int node[3], order[3] = {0, 1, 2};
    double fraction[3];
    for (int i = 0; i < 3; ++i) {
      node[i] = static_cast<int>(rgb[i]) / 8;
      fraction[i] = rgb[i] / 8 - node[i];
    }
    std::sort(order, order + 3, [&](int i, int k) { return fraction[i] > fraction[k]; });
    double sum = value(node, c);
    for (const int axis : order) {
      const double start = value(node, c);
      ++node[axis];
      sum += fraction[axis] * (value(node, c) - start);
    }
    return std::min(255.0, test::rounded(sum / 16));
  };
  test::for_each_picture([&](test::HostPicture& from, const test::Parts& parts) {
    for (const bool with_skin : {true, false}) {
      test::HostPicture to(from.size()), skin(from.size());
      executor->launch(mt::ApplyLut{parts.rows(), lut.data(), test::planes_of(from),
                                    test::planes_of(to), with_skin ? skin.plane(0) : nullptr},
                       parts.count());
      test::expect_equal(to, parts, [&](int x, int y) {
        const test::Colour rgb = test::colour_at(from, x, y);
        return test::Colour{looked_up(rgb, 0), looked_up(rgb, 1), looked_up(rgb, 2)};
      });
      for (int y = 0; y < from.size().height; ++y)
        for (int x = 0; x < from.size().width; ++x)
          ASSERT_EQ(with_skin && parts.contain(x, y) ? looked_up(test::colour_at(from, x, y), 3)
                                                     : test::kUntouched,
                    skin.at(0, x, y));
    }
  });
}

}  // namespace
