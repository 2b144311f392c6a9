// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
#include <vector>

namespace mosaic {
namespace {

/// A wall of cells that shows what turns ask for and, in the other cells, what it likes: photos of
/// low numbers, or any at random.
class Wall {
 public:
  Wall(int cells, int photos, bool at_random) : photos_(photos), random_(at_random) {
    tiles_.resize(cells);
  }

  const std::vector<int32_t>& next(std::span<const uint8_t> required) {
    std::vector<int32_t> wanted;
    for (int photo = 0; photo < static_cast<int>(required.size()); ++photo)
      if (required[photo]) wanted.push_back(photo);
    asked_ = static_cast<int>(wanted.size());
    EXPECT_LE(wanted.size(), tiles_.size());
    for (size_t cell = 0; cell < tiles_.size(); ++cell)
      tiles_[cell] = cell < wanted.size() ? wanted[cell]
                     : random_            ? static_cast<int32_t>(generator_() % photos_)
                                          : static_cast<int32_t>(cell % photos_);
    return tiles_;
  }
  int asked() const { return asked_; }

 private:
  int photos_, asked_ = 0;
  bool random_;
  std::vector<int32_t> tiles_;
  std::mt19937 generator_{7};
};

/// For each photo, in each frame: whether it was seen.
using Seen = std::vector<std::vector<uint8_t>>;

void note(Seen& seen, const std::vector<int32_t>& tiles) {
  for (auto& photo : seen) photo.push_back(0);
  for (const int32_t tile : tiles) seen[tile % seen.size()].back() = 1;
}

/// The fewest frames in which any `within` successive ones show a photo.
int fewest(const Seen& seen, int within) {
  int least = within;
  for (const auto& frames : seen)
    for (size_t at = 0; at + within <= frames.size(); ++at) {
      const auto begin = frames.begin() + static_cast<ptrdiff_t>(at);
      least = std::min(least, static_cast<int>(std::count(begin, begin + within, 1)));
    }
  return least;
}

TEST(Turns, EachPhotoHasItsTurnInAnySpan) {
  struct Case {
    int cells, photos, within, show_for;
  };
  for (const bool at_random : {false, true})
    for (const Case& c :
         {Case{70, 92, 100, 20}, {70, 230, 100, 20}, {10, 9, 7, 7}, {30, 100, 50, 1}}) {
      SCOPED_TRACE(testing::Message() << c.photos << (at_random ? ", at random" : ""));
      Wall wall(c.cells, c.photos, at_random);
      Turns turns;
      Seen seen(c.photos);
      for (int frame = 0; frame < 500; ++frame) {
        const auto& tiles = wall.next(turns.begin_frame({c.within, c.show_for}, c.photos, c.cells));
        turns.end_frame(tiles);
        note(seen, tiles);
        ASSERT_EQ(turns.in_time(), c.photos) << "frame " << frame;
      }
      EXPECT_GE(fewest(seen, c.within), c.show_for);
    }
}

TEST(Turns, ComeOneAfterAnother) {
  Wall wall(70, 270, false);  // 200 are not shown at first
  Turns turns;
  for (int frame = 0; frame < 300; ++frame) {
    turns.end_frame(wall.next(turns.begin_frame({120, 20}, 270, 70)));
    EXPECT_LE(wall.asked(), 3 * 20) << frame;  // three begin in a frame at most
  }
}

TEST(Turns, ThereAreNoneWhereAllAreShown) {
  Wall wall(70, 60, false);
  Turns turns;
  for (int frame = 0; frame < 300; ++frame) {
    turns.end_frame(wall.next(turns.begin_frame({50, 20}, 60, 70)));
    // Which photos will be shown long enough is not known before.
    if (frame >= 20) {
      EXPECT_EQ(wall.asked(), 0) << frame;
    }
  }
}

TEST(Turns, TooManyPhotosAreCounted) {
  Wall wall(10, 200, false);  // there is room for 50
  Turns turns;
  Seen seen(200);
  int fewest_in_time = 200;
  for (int frame = 0; frame < 500; ++frame) {
    const auto& tiles = wall.next(turns.begin_frame({50, 10}, 200, 10));
    turns.end_frame(tiles);
    note(seen, tiles);
    fewest_in_time = std::min(fewest_in_time, turns.in_time());
  }
  EXPECT_GE(fewest_in_time, 40);
  EXPECT_LE(fewest_in_time, 60);
  // They all come, nevertheless, one as often as another.
  EXPECT_GE(fewest(seen, 230), 10);
}

TEST(Turns, NoPhotoIsAskedForBeforeItHasTo) {
  Wall wall(3, 4, false);  // photo 3 is never shown by itself
  Turns turns;
  for (int frame = 0; frame < 200; ++frame) {
    turns.end_frame(wall.next(turns.begin_frame({50, 5}, 4, 3)));
    if (frame < 45) {
      EXPECT_EQ(wall.asked(), 0) << frame;
    }
    EXPECT_LE(wall.asked(), 2) << frame;
  }
}

TEST(Turns, FollowAnotherLength) {
  Wall wall(3, 4, false);
  Turns turns;
  for (int frame = 0; frame < 60; ++frame)
    turns.end_frame(wall.next(turns.begin_frame({50, frame < 47 ? 10 : 2}, 4, 3)));
  EXPECT_EQ(wall.asked(), 0);  // the turn that began as a long one is over
}

TEST(Turns, MayBeSwitchedOnAndOff) {
  Turns turns;
  Wall wall(5, 20, false);
  for (int frame = 0; frame < 30; ++frame) {
    const bool on = frame / 10 % 2 == 1;
    const auto required = turns.begin_frame({on ? 8 : 0, 1}, 20, 5);
    EXPECT_EQ(required.empty(), !on);
    turns.end_frame(wall.next(required));
    EXPECT_GE(turns.in_time(), on ? 1 : 20);
  }
  EXPECT_EQ(turns.begin_frame({8, 1}, 30, 5).size(), 30u);  // another pool
}

}  // namespace
}  // namespace mosaic
