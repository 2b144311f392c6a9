// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/placement/diffused_ahead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace {

using mosaic::DiffusedAhead;
using testing::ElementsAre;
using testing::ElementsAreArray;
using Cells = std::vector<int32_t>;

const mosaic::Grid kGrid{.columns = 4};
constexpr int kTiles = 20;

/// What cells show, of which the others have tiles 10, 11 and 12 all the time. @param first the
/// tiles that diffusion places in the first cell
int32_t first_shown(int32_t held, const Cells& first, int max_uses = 1) {
  std::vector<Cells> frames;
  for (const int32_t tile : first) frames.push_back({tile, 10, 11, 12});
  const std::vector<DiffusedAhead::Tiles> tiles(frames.begin(), frames.end());
  const Cells before{held, 10, 11, 12};
  DiffusedAhead ahead(kGrid, kTiles, max_uses);
  const DiffusedAhead::Tiles shown = ahead.choose(before, tiles, 4);
  EXPECT_THAT(shown.subspan(1), ElementsAre(10, 11, 12));
  return shown[0];
}

TEST(DiffusedAhead, KeepsATileThatComesBack) {
  EXPECT_EQ(first_shown(1, {2, 3, 1, 4}), 1);
  EXPECT_EQ(first_shown(1, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1}), 1) << "however late";
}

TEST(DiffusedAhead, ShowsTheTileThatStaysLongest) {
  EXPECT_EQ(first_shown(1, {2, 3, 3, 4}), 3);
  EXPECT_EQ(first_shown(1, {2, 3, 2, 3}), 2) << "the first of equals";
  EXPECT_EQ(first_shown(1, {2, 2, 3, 4, 5, 6, 7, 8, 3, 3, 3}), 2) << "of the next eight frames";
}

TEST(DiffusedAhead, WithoutAChangeOrFramesToComeItShowsWhatDiffusionPlaced) {
  EXPECT_EQ(first_shown(1, {1, 2, 2, 2}), 1);
  EXPECT_EQ(first_shown(1, {2}), 2);
}

TEST(DiffusedAhead, AfterACutNothingIsKept) {
  const Cells placed{2, 10, 11, 12}, later{1, 10, 11, 12};
  const DiffusedAhead::Tiles frames[] = {placed, later};
  DiffusedAhead ahead(kGrid, kTiles, 1);
  EXPECT_THAT(ahead.choose({}, frames, 4), ElementsAreArray(placed));
}

TEST(DiffusedAhead, RepeatsNoTileThatDiffusionWouldNotRepeat) {
  EXPECT_EQ(first_shown(10, {2, 10}), 2) << "its only use is elsewhere";
  EXPECT_EQ(first_shown(12, {2, 12}, 2), 2) << "within the radius";
}

TEST(DiffusedAhead, ATileMayBeUsedAgainOutsideTheRadius) {
  const Cells held{12, 10, 11, 12}, placed{2, 10, 11, 12}, later{12, 10, 11, 12};
  const DiffusedAhead::Tiles frames[] = {placed, later};
  DiffusedAhead ahead(kGrid, kTiles, 2);
  EXPECT_THAT(ahead.choose(held, frames, 2), ElementsAreArray(held));
}

TEST(DiffusedAhead, WhatOneCellGivesUpIsFreeForTheNext) {
  const Cells held{1, 2, 11, 12}, placed{2, 3, 11, 12}, later{4, 2, 11, 12};
  const DiffusedAhead::Tiles frames[] = {placed, later, later};
  DiffusedAhead ahead(kGrid, kTiles, 1);
  EXPECT_THAT(ahead.choose(held, frames, 4), ElementsAreArray(later));
}

}  // namespace
