// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// look_up() of kernels/math/lut3d.h on a CPU. Weights and nodes are found for a vector of pixels,
/// the four values of each pixel are then summed as one vector: compilers would gather each value.
#pragma once

#include <cstring>

#include "cpu/vectors/serial_group.h"
#include "cpu/vectors/vectors.h"
#include "kernels/math/lut3d.h"

namespace mt {
namespace {

/// Looks up a vector of pixels.
class VectorLookUp {
 public:
  static constexpr int kLanes = hn::MaxLanes(hn::ScalableTag<uint32_t>());

  explicit VectorLookUp(const uint16_t* lut) : lut_(lut) {}

  void operator()(const uint8_t* const (&in)[3], uint8_t* const (&out)[kLutValues]) {
    find_nodes(in);
    for (int i = 0; i < kLanes; ++i) values_[i] = sum(i);
    for (int i = 0; i < kLutValues; ++i)
      if (out[i]) split(i, out[i]);
  }

 private:
  using Lanes = hn::ScalableTag<uint32_t>;
  using Bytes = hn::Rebind<uint8_t, Lanes>;
  using Vector = hn::Vec<Lanes>;
  static constexpr int kShift = 16;

  static Vector axis(Vector level, int step) {
    const Lanes lanes;
    const Vector fraction = hn::And(level, hn::Set(lanes, (1 << kLutWeightBits) - 1));
    return hn::Or(hn::ShiftLeft<kShift>(fraction), hn::Set(lanes, step));
  }

  /// As look_up_colour() does, for each lane.
  void find_nodes(const uint8_t* const (&in)[3]) {
    const Lanes lanes;
    Vector level[3];
    for (int i = 0; i < 3; ++i) level[i] = hn::PromoteTo(lanes, hn::LoadU(Bytes(), in[i]));
    const Vector r = axis(level[0], kLutStep[0]), g = axis(level[1], kLutStep[1]),
                 b = axis(level[2], kLutStep[2]);
    const Vector high = hn::Max(r, g), low = hn::Min(r, g);
    const Vector first = hn::Max(high, b), rest = hn::Min(high, b);
    const Vector second = hn::Max(rest, low), third = hn::Min(rest, low);
    const Vector mask = hn::Set(lanes, (1 << kShift) - 1);
    Vector node = hn::ShiftRight<kLutWeightBits>(level[2]);
    for (int i = 0; i < 2; ++i)
      node = hn::Add(
          node, hn::Mul(hn::ShiftRight<kLutWeightBits>(level[i]), hn::Set(lanes, kLutStep[i])));
    const Vector node1 = hn::Add(node, hn::And(first, mask));
    const Vector node2 = hn::Add(node1, hn::And(second, mask));
    const Vector node3 = hn::Add(node2, hn::And(third, mask));
    const Vector f1 = hn::ShiftRight<kShift>(first), f2 = hn::ShiftRight<kShift>(second),
                 f3 = hn::ShiftRight<kShift>(third);
    const Vector nodes[4] = {node, node1, node2, node3};
    const Vector weights[4] = {hn::Sub(hn::Set(lanes, 1 << kLutWeightBits), f1), hn::Sub(f1, f2),
                               hn::Sub(f2, f3), f3};
    for (int k = 0; k < 4; ++k) {
      hn::Store(nodes[k], lanes, node_[k]);
      hn::Store(weights[k], lanes, weight_[k]);
    }
  }

  /// The four results of pixel i, a byte each.
  uint32_t sum(int i) const {
    const hn::FixedTag<uint16_t, kLutValues> values;
    auto total = hn::Set(values, 1 << (kLutBits + kLutWeightBits - 1));
    for (int k = 0; k < 4; ++k)
      total = hn::Add(total, hn::Mul(hn::LoadU(values, lut_ + kLutValues * node_[k][i]),
                                     hn::Set(values, static_cast<uint16_t>(weight_[k][i]))));
    const auto level =
        hn::Min(hn::ShiftRight<kLutBits + kLutWeightBits>(total), hn::Set(values, uint16_t{255}));
    const hn::FixedTag<uint8_t, kLutValues> bytes;
    const auto packed =
        hn::DemoteTo(bytes, hn::BitCast(hn::FixedTag<int16_t, kLutValues>(), level));
    return hn::GetLane(hn::BitCast(hn::FixedTag<uint32_t, 1>(), packed));
  }

  /// Byte i of each pixel's results.
  void split(int i, uint8_t* out) const {
    const Lanes lanes;
    const Vector byte =
        hn::And(hn::ShiftRightSame(hn::Load(lanes, values_), 8 * i), hn::Set(lanes, 255));
    hn::StoreU(hn::DemoteTo(Bytes(), hn::BitCast(hn::RebindToSigned<Lanes>(), byte)), Bytes(), out);
  }

  const uint16_t* lut_;
  alignas(64) uint32_t node_[4][kLanes];
  alignas(64) uint32_t weight_[4][kLanes];
  alignas(64) uint32_t values_[kLanes];
};

void look_up(SerialGroup&, const uint16_t* lut, const LutRow& row, int n) {
  constexpr int kLanes = VectorLookUp::kLanes;
  VectorLookUp look_up_vector(lut);
  int x = 0;
  for (; x + kLanes <= n; x += kLanes) {
    uint8_t* const out[kLutValues] = {row.out[0] + x, row.out[1] + x, row.out[2] + x,
                                      row.out[3] ? row.out[3] + x : nullptr};
    look_up_vector({row.in[0] + x, row.in[1] + x, row.in[2] + x}, out);
  }
  if (x == n) return;
  // The rest, by way of memory that has room for a whole vector.
  uint8_t in[3][kLanes] = {}, out[kLutValues][kLanes];
  for (int i = 0; i < 3; ++i) std::memcpy(in[i], row.in[i] + x, n - x);
  look_up_vector({in[0], in[1], in[2]}, {out[0], out[1], out[2], out[3]});
  for (int i = 0; i < kLutValues; ++i)
    if (row.out[i]) std::memcpy(row.out[i] + x, out[i], n - x);
}

}  // namespace
}  // namespace mt
