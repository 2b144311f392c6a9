// SPDX-License-Identifier: LGPL-2.1-or-later
// Clicks on the picture: the message names the photo that is shown there.
#include <gst/video/navigation.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "tests/gst/tiles.h"

namespace {

using namespace element_test;

constexpr int kPhotos = 12;

GstEvent* click(double x, double y) {
  return gst_navigation_event_new_mouse_button_press(1, x, y, GST_NAVIGATION_MODIFIER_NONE);
}

void send(Element& element, GstEvent* event) {
  gst_harness_push_upstream_event(element.harness(), event);
}

struct Tile {
  double x = 0, y = 0;
  guint column = 0, row = 0, tile = 0;
  std::string photo;
};

// The next message of a click on the bus; nullopt if none was posted.
std::optional<Tile> pop_tile(Element& element) {
  const Message message = element.pop(GST_MESSAGE_ELEMENT);
  if (!message) return std::nullopt;
  const GstStructure* s = gst_message_get_structure(message.get());
  EXPECT_STREQ(gst_structure_get_name(s), "mosaictemporal-tile");
  EXPECT_EQ(GST_MESSAGE_SRC(message.get()), GST_OBJECT(element.get()));
  Tile tile;
  gchar* photo = nullptr;
  EXPECT_TRUE(gst_structure_get(s, "x", G_TYPE_DOUBLE, &tile.x, "y", G_TYPE_DOUBLE, &tile.y,
                                "column", G_TYPE_UINT, &tile.column, "row", G_TYPE_UINT, &tile.row,
                                "tile", G_TYPE_UINT, &tile.tile, "photo", G_TYPE_STRING, &photo,
                                nullptr));
  tile.photo = photo ? photo : "";
  g_free(photo);
  return tile;
}

// The positions in the navigation events that went upstream; 0, 0 for events without one.
std::vector<std::pair<double, double>> pull_points(Element& element) {
  std::vector<std::pair<double, double>> points;
  while (GstEvent* event = gst_harness_try_pull_upstream_event(element.harness())) {
    double x = 0, y = 0;
    if (GST_EVENT_TYPE(event) == GST_EVENT_NAVIGATION) {
      gst_navigation_event_get_coordinates(event, &x, &y);
      points.emplace_back(x, y);
    }
    gst_event_unref(event);
  }
  return points;
}

// Clicks at every third pixel: each message names the photo whose colour is there.
void expect_photos_found(Element& element, const FlatPhotos& photos, const Buffer& out) {
  const GstVideoInfo info = element.output_info();
  const Meta meta = meta_of(out).value();
  Mapped mapped(info, out);
  for (int y = 0; y < info.height; y += 3)
    for (int x = 0; x < info.width; x += 3) {
      send(element, click(x + 0.5, y + 0.5));
      const auto tile = pop_tile(element);
      ASSERT_TRUE(tile) << x << ", " << y;
      EXPECT_EQ(tile->x, x + 0.5);
      EXPECT_EQ(tile->y, y + 0.5);
      ASSERT_LT(tile->column, meta.columns);
      ASSERT_LT(tile->row, meta.rows);
      EXPECT_EQ(static_cast<int>(tile->tile), meta.tile[meta.cell(tile->column, tile->row)]);
      const Colour drawn = {mapped.at(0, x, y), mapped.at(1, x, y), mapped.at(2, x, y)};
      const int photo = static_cast<int>(tile->tile) % kPhotos;
      EXPECT_EQ(tile->photo, photos.path(photo));
      ASSERT_EQ(drawn, FlatPhotos::colour(photo)) << x << ", " << y;
    }
}

TEST(Click, NamesThePhotoAtThePointer) {
  const FlatPhotos photos(kPhotos);
  Element element;
  photos.give_to(element);
  element.set("tile-size", 16U);
  ASSERT_TRUE(element.set_caps(video_caps("RGB", 100, 70)));
  for (int frame = 0; frame < 2; ++frame) {
    const Buffer out = element.process(make_frame(video_info("RGB", 100, 70), 20 * frame));
    ASSERT_TRUE(out);
    expect_photos_found(element, photos, out);
  }
}

TEST(Click, NamesAreUtf8) {
  const TempFolder folder;
  write_flat_photo(folder.path("caf\xe9.bmp"), {1, 2, 3});
  Element element;
  element.set("tile-location", folder.path().c_str());
  ASSERT_TRUE(element.set_caps(video_caps("RGB", 100, 70)));
  ASSERT_TRUE(element.process(make_frame(video_info("RGB", 100, 70))));
  send(element, click(5, 5));
  const auto tile = pop_tile(element);
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->photo, folder.path("caf\xef\xbf\xbd.bmp"));
}

TEST(Click, UsesPixelsOfTheOutput) {
  const FlatPhotos photos(kPhotos);
  Element element;
  photos.give_to(element);
  element.set("tile-size", 16U);
  element.set_sink_caps("video/x-raw,width=219,height=93");
  ASSERT_TRUE(element.set_caps(video_caps("RGB", 100, 70)));
  const Buffer out = element.process(make_frame(video_info("RGB", 100, 70)));
  ASSERT_TRUE(out);
  expect_photos_found(element, photos, out);
}

TEST(Click, IsForwardedInPixelsOfTheInput) {
  Element element;
  element.set_sink_caps("video/x-raw,width=128,height=96");
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
  pull_points(element);
  send(element, click(100, 30));
  EXPECT_EQ(pull_points(element), (std::vector<std::pair<double, double>>{{50, 15}}));
  const auto tile = pop_tile(element);
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->x, 100);
  EXPECT_EQ(tile->y, 30);
  EXPECT_EQ(tile->photo.rfind("built-in ", 0), 0U) << tile->photo;
}

TEST(Click, MayBeATouch) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
  send(element, gst_navigation_event_new_touch_down(0, 63, 47, 1, GST_NAVIGATION_MODIFIER_NONE));
  const auto tile = pop_tile(element);
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->column, 7U);
  EXPECT_EQ(tile->row, 5U);
}

TEST(Click, IsNoOtherNavigationEvent) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
  pull_points(element);
  const auto none = GST_NAVIGATION_MODIFIER_NONE;
  const std::vector<GstEvent*> events = {
      gst_navigation_event_new_mouse_button_release(1, 10, 10, none),
      gst_navigation_event_new_mouse_move(10, 10, none),
      gst_navigation_event_new_mouse_scroll(10, 10, 0, 1, none),
      gst_navigation_event_new_key_press("a", none),
      click(-0.5, 10),
      click(10, -0.5),
      click(64, 10),
      click(10, 48),
      click(1e300, NAN)};
  for (GstEvent* event : events) send(element, event);
  EXPECT_FALSE(pop_tile(element));
  EXPECT_EQ(pull_points(element).size(), events.size()) << "all of them go on";
}

TEST(Click, IsIgnoredWithoutAMosaic) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  send(element, click(10, 10));
  EXPECT_FALSE(pop_tile(element)) << "before the first frame";
  ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
  gst_element_set_state(element.get(), GST_STATE_READY);
  send(element, click(10, 10));
  EXPECT_FALSE(pop_tile(element)) << "after the last";
}

TEST(Click, MayComeFromAnotherThreadWhilePlaying) {
  const FlatPhotos photos(kPhotos);
  Element element;
  photos.give_to(element);
  ASSERT_TRUE(element.set_caps(video_caps("RGB", 64, 48)));
  ASSERT_TRUE(element.process(make_frame(video_info("RGB", 64, 48))));
  std::atomic<bool> stop = false;
  int clicks = 0;
  std::thread user([&] {
    for (; !stop || clicks < 100; ++clicks) {
      send(element, click(clicks % 64, clicks % 48));
      if (clicks % 8 == 0) {
        EXPECT_EQ(photos_of(element).size(), size_t{kPhotos});
      }
    }
  });
  for (int frame = 0; frame < 30; ++frame) {
    element.set("tile-size", 8U + frame % 3 * 8);
    EXPECT_TRUE(element.process(make_frame(video_info("RGB", 64, 48), frame))) << frame;
  }
  stop = true;
  user.join();
  int answers = 0;
  while (const auto tile = pop_tile(element)) {
    EXPECT_EQ(tile->photo, photos.path(static_cast<int>(tile->tile)));
    ++answers;
  }
  EXPECT_EQ(answers, clicks);
}

}  // namespace
