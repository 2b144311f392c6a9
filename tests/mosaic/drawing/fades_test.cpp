// SPDX-License-Identifier: LGPL-2.1-or-later
// What cells show while their tiles change, as shares of tiles over time.
#include "mosaic/drawing/fades.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <vector>

namespace {

using mosaic::Fades;

/// The shares of a cell's tiles, mt::kWholeShare in all.
std::map<int, int> shares(const Fades::Cell& cell) {
  std::map<int, int> shares{{cell.tile, cell.share}};
  if (cell.old_tile >= 0) shares[cell.old_tile] = mt::kWholeShare - cell.share;
  return shares;
}

/// The greatest change of any tile's share.
int step(const std::map<int, int>& a, const std::map<int, int>& b) {
  int most = 0;
  for (const auto* one : {&a, &b})
    for (const auto& [tile, share] : *one) {
      const auto in_a = a.find(tile), in_b = b.find(tile);
      const int was = in_a == a.end() ? 0 : in_a->second, is = in_b == b.end() ? 0 : in_b->second;
      most = std::max(most, std::abs(was - is));
    }
  return most;
}

TEST(Fades, ChangeLinearlyOverTheGivenFrames) {
  for (int frames = 0; frames <= 16; ++frames) {
    Fades fades(1);
    EXPECT_EQ(Fades::Step::kTiles, fades.advance(0, 5, frames)) << "from nothing, at once";
    EXPECT_EQ(-1, fades[0].old_tile);
    EXPECT_EQ(Fades::Step::kNone, fades.advance(0, 5, frames));
    for (int i = 1; i <= frames; ++i) {
      EXPECT_EQ(i == 1 ? Fades::Step::kTiles : Fades::Step::kShare, fades.advance(0, 7, frames));
      EXPECT_EQ(7, fades[0].tile);
      EXPECT_EQ(5, fades[0].old_tile);
      EXPECT_NEAR(mt::kWholeShare * i / (frames + 1.0), fades[0].share, i);
    }
    EXPECT_NE(Fades::Step::kNone, fades.advance(0, 7, frames));
    EXPECT_EQ(-1, fades[0].old_tile);
    EXPECT_EQ(mt::kWholeShare, fades[0].share);
    EXPECT_EQ(Fades::Step::kNone, fades.advance(0, 7, frames));
  }
}

TEST(Fades, ChangeInSmallStepsHoweverOftenTheTileChanges) {
  std::mt19937 random(3);
  for (const int frames : {1, 4, 8, 16}) {
    Fades fades(1);
    fades.advance(0, 0, frames);
    std::map<int, int> last = shares(fades[0]);
    const int pace = (mt::kWholeShare + frames) / (frames + 1);
    int wanted = 0;
    for (int i = 0; i < 2000; ++i) {
      if (random() % 3 == 0) wanted = static_cast<int>(random() % 5);
      fades.advance(0, wanted, frames);
      const std::map<int, int> now = shares(fades[0]);
      EXPECT_LE(step(last, now), 2 * pace) << i;
      last = now;
    }
    // Then it arrives: the fade under way ends or goes back, and the fade to `wanted` follows.
    for (int i = 0; i < 2 * frames + 2; ++i) fades.advance(0, wanted, frames);
    EXPECT_EQ(wanted, fades[0].tile);
    EXPECT_EQ(-1, fades[0].old_tile);
  }
}

TEST(Fades, ReverseWhenACellReturnsToItsOldTile) {
  Fades fades(1);
  fades.advance(0, 1, 4);
  fades.advance(0, 2, 4);
  fades.advance(0, 2, 4);
  EXPECT_EQ(Fades::Step::kTiles, fades.advance(0, 1, 4));
  EXPECT_EQ(1, fades[0].tile);
  EXPECT_EQ(2, fades[0].old_tile);
  EXPECT_NEAR(mt::kWholeShare * 4 / 5, fades[0].share, 5);
  EXPECT_EQ(Fades::Step::kShare, fades.advance(0, 1, 4));
  EXPECT_EQ(-1, fades[0].old_tile);
}

TEST(Fades, EndAtOnceWithZeroFrames) {
  Fades fades(3);
  for (int cell = 0; cell < 3; ++cell) {
    fades.advance(cell, 1, 8);
    fades.advance(cell, 2, 8);
  }
  EXPECT_EQ(Fades::Step::kShare, fades.advance(0, 2, 0));
  EXPECT_EQ(Fades::Step::kTiles, fades.advance(1, 9, 0));
  EXPECT_EQ(Fades::Step::kTiles, fades.advance(2, 1, 0));
  const int tiles[] = {2, 9, 1};
  for (int cell = 0; cell < 3; ++cell) {
    EXPECT_EQ(tiles[cell], fades[cell].tile);
    EXPECT_EQ(-1, fades[cell].old_tile);
    EXPECT_EQ(mt::kWholeShare, fades[cell].share);
    EXPECT_EQ(Fades::Step::kNone, fades.advance(cell, tiles[cell], 0));
  }
}

}  // namespace
