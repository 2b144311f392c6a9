// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/render/renderer.h"

#include <gmock/gmock.h>

#include <cmath>

#include "cpu/cpu_executor.h"
#include "mosaic/base/error.h"
#include "mosaic/engine/engine.h"
#include "mosaic/pack/make_pack.h"
#include "mosaic/settings/profile.h"
#include "mosaic/stream/stream_reader.h"
#include "mosaic/stream/stream_writer.h"
#include "tests/mosaic/frames.h"
#include "tests/mosaic/photos/photo_files.h"

namespace {

using mosaic::Engine;
using mosaic::FrameSettings;
using mosaic::Grid;
using mosaic::Renderer;
using mosaic::RenderView;
using mosaic::pack::PackPhotos;
using test::RgbFrame;

constexpr int kWidth = 320, kHeight = 178, kSide = 20;

/// The built-in photos as a pack.
std::shared_ptr<const PackPhotos> photos() {
  static const std::atomic<bool> cancelled = false;
  static const mosaic::TempFolder folder;
  static const std::shared_ptr<const PackPhotos> pack = [] {
    mt::WorkerPool workers(2);
    const std::string path = folder / "all.mospack";
    mosaic::pack::make_pack(
        *mosaic::make_procedural_photos(), path, {64, {}}, workers, [](const std::string&) {},
        [](int, int) {}, cancelled);
    return std::make_shared<PackPhotos>(path, 2 * kSide, cancelled);
  }();
  return pack;
}

std::shared_ptr<const mosaic::Pool> pool(mt::Executor& executor, const Grid& grid) {
  mosaic::PoolOptions options;
  options.side = grid.side;
  options.draw_size = grid.draw_size;
  options.cache_location = "";
  const std::atomic<bool> cancelled = false;
  return mosaic::load_pool(
      *photos(), options, executor, [](const mosaic::PoolProgress&) {}, [](const std::string&) {},
      cancelled);
}

/// A scene that moves, with a cut.
RgbFrame frame_at(int i) {
  RgbFrame frame = test::moving_disc(kWidth, kHeight, i);
  if (i >= 8)
    for (uint8_t& v : frame.pixels) v = static_cast<uint8_t>(255 - v);
  return frame;
}

/// A mosaic as it is drawn, and as it is drawn from its stream.
class Both {
 public:
  explicit Both(const FrameSettings& settings)
      : settings_(settings),
        executor_(mt::make_cpu_executor(2)),
        grid_(mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "1")),
        pool_(pool(*executor_, grid_)),
        drawing_(grid_, pool_, {}, executor_),
        describing_(grid_, pool_, {}, executor_) {
    mosaic::stream::set_grid(header, grid_, {}, {});
    header.photos = photos()->pack().hash();
    header.photo_count = photos()->count();
    header.look = settings.look;
    header.newest = settings.ema_alpha;
  }

  RgbFrame drawn(int i) {
    RgbFrame frame = frame_at(i), out(kWidth, kHeight);
    drawing_.process(frame.view(), out.view(), settings_);
    executor_->wait();
    return out;
  }

  /// The packet of a frame. @param key whether it is to be a keyframe
  std::vector<uint8_t> packet(int i, bool key = false) {
    RgbFrame frame = frame_at(i);
    std::vector<uint8_t> bytes;
    writer_.write(header, describing_.describe(frame.view(), settings_),
                  {i * uint64_t{40000000}, 40000000, 10000000000}, key, bytes);
    return bytes;
  }

  mosaic::stream::StreamHeader header;

 private:
  FrameSettings settings_;
  std::shared_ptr<mt::Executor> executor_;
  Grid grid_;
  std::shared_ptr<const mosaic::Pool> pool_;
  Engine drawing_, describing_;
  mosaic::stream::StreamWriter writer_;
};

/// Draws what it receives.
class Receiver {
 public:
  explicit Receiver(const mosaic::stream::StreamHeader& header, int threads = 2,
                    int64_t most_finished = Renderer::kMostFinished)
      : executor_(mt::make_cpu_executor(threads)),
        renderer_(header, photos(), executor_, executor_, most_finished) {}

  void take(const std::vector<uint8_t>& packet) {
    if (reader_.read(packet) == mosaic::stream::StreamReader::Result::kFrame)
      renderer_.update(reader_.frame(), reader_.joined());
  }
  RgbFrame draw(const RenderView& view = {.width = kWidth, .height = kHeight}) {
    RgbFrame out(view.width, view.height);
    renderer_.draw(view, out.view());
    executor_->wait();
    return out;
  }

 private:
  std::shared_ptr<mt::Executor> executor_;
  mosaic::stream::StreamReader reader_;
  Renderer renderer_;
};

FrameSettings plain(double fidelity = 0) {
  FrameSettings settings;
  settings.look.fidelity = fidelity;
  return settings;
}

RgbFrame part_of(const RgbFrame& whole, int x, int y, int width, int height) {
  RgbFrame part(width, height);
  for (int v = 0; v < height; ++v)
    for (int u = 0; u < width; ++u)
      for (int c = 0; c < 3; ++c)
        part.at(u, v)[c] = whole.pixels[(size_t(y + v) * whole.width + x + u) * 3 + c];
  return part;
}

double mean_difference(const RgbFrame& a, const RgbFrame& b) {
  double sum = 0;
  for (size_t i = 0; i < a.pixels.size(); ++i) sum += std::abs(int(a.pixels[i]) - b.pixels[i]);
  return sum / static_cast<double>(a.pixels.size());
}

void expect_same_pictures(const FrameSettings& settings) {
  Both both(settings);
  Receiver receiver(both.header), late(both.header), skipping(both.header, 1);
  for (int i = 0; i < 14; ++i) {
    const RgbFrame drawn = both.drawn(i);
    const std::vector<uint8_t> packet = both.packet(i, i == 5);
    receiver.take(packet);
    EXPECT_EQ(drawn.pixels, receiver.draw().pixels) << i;
    skipping.take(packet);
    if (i % 3 == 0) {
      EXPECT_EQ(drawn.pixels, skipping.draw().pixels) << "skipping, " << i;
    }
    if (i < 5) continue;
    late.take(packet);
    EXPECT_EQ(drawn.pixels, late.draw().pixels) << "joined, " << i;
  }
}

TEST(Renderer, DrawsPlainMosaicsAsTheyAreDrawnFromTheirSource) {
  expect_same_pictures(plain());
}

TEST(Renderer, DrawsPlainMosaicsWithFidelityAsTheyAreDrawnFromTheirSource) {
  expect_same_pictures(plain(0.5));
}

TEST(Renderer, DrawsCrossfadesAsTheyAreDrawnFromTheirSource) {
  for (const double fidelity : {0.0, 0.5}) {
    FrameSettings settings = plain(fidelity);
    settings.temporal_blend = 4;
    expect_same_pictures(settings);
  }
}

TEST(Renderer, ComesNearToLooksThatNeedTheSource) {
  for (const char* name : {"vivid_b", "faithful", "natural"}) {
    FrameSettings settings;
    settings.look = mosaic::load_profile(name);
    Both both(settings), without_look(plain());
    Receiver receiver(both.header);
    for (int i = 0; i < 6; ++i) {
      const RgbFrame drawn = both.drawn(i);
      receiver.take(both.packet(i));
      const RgbFrame received = receiver.draw();
      EXPECT_LT(mean_difference(drawn, received), 6) << name << ", " << i;
      EXPECT_GT(mean_difference(drawn, received), 0);
      EXPECT_LT(3 * mean_difference(drawn, received), mean_difference(drawn, without_look.drawn(i)))
          << name << ", " << i;
    }
  }
}

TEST(Renderer, APartIsThatPartOfTheWholePicture) {
  for (const double fidelity : {0.0, 0.5}) {
    Both both(plain(fidelity));
    Receiver whole(both.header), part(both.header);
    const int width = 4 * kWidth, height = 4 * kHeight;
    for (int i = 0; i < 3; ++i) {
      const std::vector<uint8_t> packet = both.packet(i);
      whole.take(packet);
      part.take(packet);
      const RgbFrame all = whole.draw({.width = width, .height = height});
      for (const auto& [x, y] : {std::pair{0, 0}, {width - kWidth, height - kHeight}, {333, 101}})
        EXPECT_EQ(part_of(all, x, y, kWidth, kHeight).pixels, part.draw({.width = kWidth,
                                                                         .height = kHeight,
                                                                         .x = double(x) / width,
                                                                         .y = double(y) / height,
                                                                         .part_width = 0.25,
                                                                         .part_height = 0.25})
                                                                  .pixels)
            << fidelity << ": " << x << ", " << y;
    }
  }
}

TEST(Renderer, APartOfAFinishedPictureIsThatPartOfTheWhole) {
  FrameSettings settings;
  settings.look = mosaic::load_profile("vivid_b");
  Both both(settings);
  Receiver whole(both.header), part(both.header);
  const std::vector<uint8_t> packet = both.packet(0);
  whole.take(packet);
  part.take(packet);
  EXPECT_EQ(
      part_of(whole.draw({.width = 2 * kWidth, .height = 2 * kHeight}), 100, 60, kWidth, kHeight)
          .pixels,
      part.draw({.width = kWidth,
                 .height = kHeight,
                 .x = 100.0 / (2 * kWidth),
                 .y = 60.0 / (2 * kHeight),
                 .part_width = 0.5,
                 .part_height = 0.5})
          .pixels);
}

constexpr double kX = 200.0 / (3 * kWidth), kY = 90.0 / (3 * kHeight);
constexpr RenderView kThird{.width = kWidth,
                            .height = kHeight,
                            .x = kX,
                            .y = kY,
                            .part_width = 1.0 / 3,
                            .part_height = 1.0 / 3};

TEST(Renderer, APartOfALargeFinishedPictureIsThatPartOfTheWhole) {
  for (const double fidelity : {0.0, 0.5}) {
    FrameSettings settings;
    settings.look = mosaic::load_profile("vivid_b");
    settings.look.fidelity = fidelity;
    Both both(settings);
    Receiver whole(both.header, 2, 1), part(both.header, 1, 1), small(both.header);
    for (int i = 0; i < 4; ++i) {
      const std::vector<uint8_t> packet = both.packet(i);
      for (Receiver* receiver : {&whole, &part, &small}) receiver->take(packet);
      const RgbFrame all = whole.draw({.width = 3 * kWidth, .height = 3 * kHeight});
      const RgbFrame shown = part.draw(kThird);
      EXPECT_EQ(part_of(all, 200, 90, kWidth, kHeight).pixels, shown.pixels)
          << fidelity << ", " << i;
      // Finished as a whole it looks much the same.
      EXPECT_LT(mean_difference(small.draw(kThird), shown), 4) << fidelity << ", " << i;
    }
  }
}

TEST(Renderer, OneFinishedCellFillsThePicture) {
  FrameSettings settings;
  settings.look = mosaic::load_profile("vivid_b");
  settings.look.fidelity = 0.5;  // the colours of cells are the source's at every size
  Both both(settings);
  Receiver receiver(both.header);
  receiver.take(both.packet(0));
  // The whole would have 58 megapixels.
  const RgbFrame far = receiver.draw({.width = 640,
                                      .height = 356,
                                      .x = 0.4,
                                      .y = 0.4,
                                      .part_width = 0.0625,
                                      .part_height = 0.0625});
  const RgbFrame near = receiver.draw();
  const auto mean = [](const RgbFrame& frame) {
    double sum = 0;
    for (const uint8_t v : frame.pixels) sum += v;
    return sum / static_cast<double>(frame.pixels.size());
  };
  const RgbFrame same = part_of(near, kWidth * 2 / 5, kHeight * 2 / 5, kWidth / 16, kHeight / 16);
  EXPECT_NEAR(mean(far), mean(same), 5);
}

TEST(Renderer, AnEnlargedCellShowsThePixelsOfItsPhoto) {
  Both both(plain());
  Receiver receiver(both.header);
  receiver.take(both.packet(0));
  // One cell fills the picture; photos have 64 pixels, which are enlarged.
  const RgbFrame zoomed = receiver.draw({.width = 200,
                                         .height = 200,
                                         .x = 5.0 * kSide / kWidth,
                                         .y = 0.5,
                                         .part_width = double(kSide) / kWidth,
                                         .part_height = double(kSide) / kHeight});
  EXPECT_EQ(200u * 200 * 3, zoomed.pixels.size());
  // Sharper than the cell of the small picture, enlarged.
  const RgbFrame small = receiver.draw();
  double fine = 0, coarse = 0;
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x + 1 < 200; ++x) {
      const int u = 5 * kSide + x / 10, v = std::min(kHeight / 2 + y / 10, kHeight - 1);
      fine += std::abs(zoomed.pixels[(size_t(y) * 200 + x) * 3 + 1] -
                       zoomed.pixels[(size_t(y) * 200 + x + 1) * 3 + 1]) > 0;
      coarse += small.pixels[(size_t(v) * kWidth + u) * 3 + 1] !=
                small.pixels[(size_t(v) * kWidth + 5 * kSide + (x + 1) / 10) * 3 + 1];
    }
  EXPECT_GT(fine, coarse);
}

TEST(Renderer, AnotherShapeThanThatOfTheVideoTakesNoUnboundedMemory) {
  mosaic::stream::StreamHeader header{.width = 1, .height = 16384, .columns = 1, .rows = 64};
  header.photos = photos()->pack().hash();
  header.photo_count = photos()->count();
  const auto executor = mt::make_cpu_executor(1);
  Renderer renderer(header, photos(), executor, executor);
  mosaic::stream::FrameState frame(64, mosaic::stream::SourceNeeds::kNothing);
  renderer.update(frame, true);
  RgbFrame out(8192, 64);
  try {
    renderer.draw({.width = 8192, .height = 64}, out.view());
    ADD_FAILURE();
  } catch (const mosaic::Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("shape"));
  }
}

TEST(Renderer, AFrameThatCannotBeReadChangesNoPicture) {
  using mosaic::stream::PacketKind;
  Both both(plain(0.5));
  Receiver receiver(both.header), other(both.header);
  const std::vector<uint8_t> packet = both.packet(0, false);
  receiver.take(packet);
  other.take(packet);
  receiver.draw();
  // The beginning of a keyframe can be read, and then it has changed what its reader holds.
  std::vector<uint8_t> damaged, half = both.packet(1, true);
  half.erase(half.begin(), half.begin() + mosaic::stream::kPacketHeaderBytes);
  for (size_t i = half.size() / 2; i < half.size(); ++i) half[i] = static_cast<uint8_t>(37 * i);
  append_packet(damaged, PacketKind::kKey, 1, 0, half);
  EXPECT_THROW(receiver.take(damaged), mosaic::Error);
  const RenderView part{.width = 90, .height = 70, .x = 0.2, .y = 0.1, .part_width = 0.5};
  EXPECT_EQ(other.draw(part).pixels, receiver.draw(part).pixels);
}

TEST(Renderer, AnotherPackIsAnErrorWithBothHashes) {
  Both both(plain());
  both.header.photos.low ^= 1;
  const auto executor = mt::make_cpu_executor(1);
  try {
    Renderer(both.header, photos(), executor, executor);
    ADD_FAILURE();
  } catch (const mosaic::Error& error) {
    EXPECT_EQ(mosaic::Error::Kind::kSettings, error.kind());
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr(both.header.photos.text()),
                                             testing::HasSubstr(photos()->pack().hash().text())));
  }
}

}  // namespace
