// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// show-within: photos that would never suit a picture are shown nevertheless, each in its turn.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/gst/tiles.h"

namespace {

using namespace element_test;

constexpr int kPhotos = 60, kCells = 48, kRate = 25, kFrames = 140;
constexpr GstClockTime kSecond = GST_SECOND;

class Show {
 public:
  Show() : photos_(kPhotos) {
    photos_.give_to(element);
    element.set("unit", 0, "size", "8x6", "max-solve-time", guint64{0});
  }

  /// Draws frames that are all alike, or of two scenes in turn.
  void draw(bool with_cuts) {
    ASSERT_TRUE(element.set_caps(video_caps("RGB", 160, 120)));
    const GstVideoInfo info = video_info("RGB", 160, 120);
    for (int i = 0; i < kFrames; ++i) {
      Buffer in = with_cuts && i % 40 >= 20 ? make_flat_frame(info, 230) : make_frame(info);
      GST_BUFFER_PTS(in.get()) = i * kSecond / kRate;
      const Buffer out = element.process(std::move(in));
      ASSERT_TRUE(out) << element.pop_report(GST_MESSAGE_ERROR).text;
      shown.push_back(meta_of(out).value_or(Meta{}).photo);
      ASSERT_EQ(shown.back().size(), size_t{kCells});
    }
  }

  /// The fewest frames in which any `within` successive ones show a photo.
  int fewest(int within) const {
    int fewest = within;
    for (int photo = 0; photo < kPhotos; ++photo)
      for (int at = 0; at + within <= kFrames; ++at)
        fewest = std::min(
            fewest, static_cast<int>(std::count_if(
                        shown.begin() + at, shown.begin() + at + within, [&](const auto& photos) {
                          return std::find(photos.begin(), photos.end(), photo) != photos.end();
                        })));
    return fewest;
  }

  Element element;
  std::vector<std::vector<int32_t>> shown;  ///< [frames]: photos

 private:
  FlatPhotos photos_;
};

TEST(Turns, EveryPhotoIsShownInTime) {
  for (const bool with_cuts : {false, true}) {
    Show show;
    show.element.set("show-within", 2 * kSecond, "show-for", kSecond / 5);
    ASSERT_NO_FATAL_FAILURE(show.draw(with_cuts));
    EXPECT_GE(show.fewest(2 * kRate), kRate / 5) << with_cuts;
  }
}

TEST(Turns, WithoutThemSomeAreNeverShown) {
  Show show;
  ASSERT_NO_FATAL_FAILURE(show.draw(false));
  EXPECT_EQ(show.fewest(kFrames), 0);
}

TEST(Turns, TheyNeedPhotosAndTime) {
  for (const bool tiles : {true, false}) {
    Show show;
    show.element.set("show-within", kSecond, "show-for", tiles ? kSecond : 2 * kSecond, "unit",
                     tiles ? 1 : 0);
    ASSERT_TRUE(show.element.set_caps(video_caps("RGB", 160, 120)));
    EXPECT_FALSE(show.element.process(make_frame(video_info("RGB", 160, 120))));
    const std::string error = show.element.pop_report(GST_MESSAGE_ERROR).text;
    EXPECT_NE(error.find("show-within"), std::string::npos) << error;
  }
}

}  // namespace
