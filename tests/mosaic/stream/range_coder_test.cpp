// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/stream/range_coder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "mosaic/stream/number_model.h"

namespace {

using mosaic::stream::BitModel;
using mosaic::stream::NumberModel;
using mosaic::stream::RangeDecoder;
using mosaic::stream::RangeEncoder;
using Bytes = std::vector<uint8_t>;

/// Bits of which `ones` in 1000 are 1, coded with one model.
std::vector<bool> random_bits(int count, unsigned ones, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<bool> bits(count);
  for (int i = 0; i < count; ++i) bits[i] = random() % 1000 < ones;
  return bits;
}

Bytes encoded(const std::vector<bool>& bits) {
  Bytes code;
  RangeEncoder coder(code);
  BitModel model;
  for (const bool bit : bits) coder.bit(model, bit);
  coder.finish();
  return code;
}

TEST(RangeCoder, GivesBackBitsOfAnyProbability) {
  for (const unsigned ones : {0u, 1u, 30u, 500u, 990u, 1000u})
    for (const int count : {0, 1, 2, 7, 100, 20000}) {
      const std::vector<bool> bits = random_bits(count, ones, ones + count);
      const Bytes code = encoded(bits);
      RangeDecoder decoder(code);
      BitModel model;
      for (int i = 0; i < count; ++i)
        ASSERT_EQ(bits[i], decoder.bit(model)) << ones << ", " << count << ": " << i;
    }
}

TEST(RangeCoder, TakesLittleMoreThanTheEntropy) {
  for (const unsigned ones : {10u, 100u, 500u}) {
    constexpr int kCount = 100000;
    const double p = ones / 1000.0;
    const double entropy = -kCount * (p * std::log2(p) + (1 - p) * std::log2(1 - p)) / 8;
    const auto bytes = static_cast<double>(encoded(random_bits(kCount, ones, 1)).size());
    EXPECT_GT(bytes, 0.97 * entropy);
    EXPECT_LT(bytes, 1.1 * entropy) << ones;
  }
}

// The lower bound of the range is then full of bits 1 again and again.
TEST(RangeCoder, CarriesThroughLongRunsOfFullBytes) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    Bytes code;
    RangeEncoder coder(code);
    BitModel rare;
    std::vector<uint32_t> numbers;
    for (int i = 0; i < 300; ++i) {
      coder.bit(rare, false);
      numbers.push_back(random() % 3 ? 0xffffu : random() & 0xffff);
      coder.number(16, numbers.back());
    }
    coder.finish();
    RangeDecoder decoder(code);
    BitModel model;
    for (const uint32_t number : numbers) {
      ASSERT_FALSE(decoder.bit(model));
      ASSERT_EQ(number, decoder.number(16));
    }
  }
}

TEST(RangeCoder, GivesBackNumbersOfAnySize) {
  std::vector<int32_t> numbers = {0, 1, -1, 2, -2, 131071, -131071, 65536};
  std::mt19937 random(3);
  for (int i = 0; i < 5000; ++i) {
    const auto size = static_cast<int32_t>(random() % (1u << (random() % 18)));
    numbers.push_back(random() % 2 ? size : -size);
  }
  Bytes code;
  {
    RangeEncoder coder(code);
    NumberModel model;
    BitModel zero;
    for (const int32_t number : numbers) ASSERT_EQ(number, model.code(coder, zero, number));
    coder.finish();
  }
  RangeDecoder decoder(code);
  NumberModel model;
  BitModel zero;
  for (const int32_t number : numbers) ASSERT_EQ(number, model.code(decoder, zero, 0));
}

TEST(RangeCoder, NoticesThatTheCodeIsTruncated) {
  Bytes code = encoded(random_bits(20000, 500, 5));
  code.resize(code.size() / 2);
  RangeDecoder decoder(code);
  BitModel model;
  EXPECT_THROW(for (int i = 0; i < 20000; ++i) decoder.bit(model), mosaic::Error);
}

}  // namespace
