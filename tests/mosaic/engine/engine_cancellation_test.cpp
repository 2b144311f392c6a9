// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// More of engine_test.cpp: frames that are given up. The call ends, and what follows is as if the
/// engine were new.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <vector>

#include "cpu/cpu_executor.h"
#include "mosaic/engine/engine.h"
#include "mosaic/engine/intermediate.h"
#include "mosaic/settings/profile.h"
#include "tests/mosaic/frames.h"

namespace {

using mosaic::Engine;
using mosaic::FrameSettings;
using mosaic::Grid;
using test::RgbFrame;

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int kLaunchStep = 7;  // of the launches that are tried one after another
#else
constexpr int kLaunchStep = 3;
#endif
constexpr int kWidth = 160, kHeight = 96, kSide = 16;

/// Forwards to an executor on the CPU, and requests cancellation in one of the launches, when half
/// of its groups have run.
class CancellingExecutor final : public mt::Executor {
 public:
  CancellingExecutor() { set_cancellation(mt::Cancellation(cancelled)); }

  std::atomic<bool> cancelled = false;
  int launches = 0;   ///< so far
  int cancel_at = 0;  ///< the launch; 0: none

  void* allocate(size_t bytes, mt::Memory where) override {
    return executor_->allocate(bytes, where);
  }
  void release(void* memory, mt::Memory where) override { executor_->release(memory, where); }
  bool unified() const override { return true; }
  void to_device(void* device, const void* host, size_t bytes) override {
    executor_->to_device(device, host, bytes);
  }
  void to_host(void* host, const void* device, size_t bytes) override {
    executor_->to_host(host, device, bytes);
  }
  const mt::Tables* tables() override { return executor_->tables(); }
  mt::WorkerPool& workers() override { return executor_->workers(); }
  void set_threads(int threads) override { executor_->set_threads(threads); }
  void wait() override { executor_->wait(); }
  mt::Lap lap() override { return executor_->lap(); }
  std::optional<double> ms(mt::Lap lap) const override { return executor_->ms(lap); }

 protected:
  void run(mt::KernelId id, const void* kernel, int count) override {
    const bool cancel = ++launches == cancel_at;
    if (!cancel || count > 1) run_on(id, kernel, cancel ? count / 2 : count);
    cancelled = cancelled || cancel;
    if (cancel) throw mt::Cancelled();
  }

 private:
  /// A pointer to the protected function run() of any executor. Only derived classes may form it.
  struct Hidden : mt::Executor {
    static constexpr void (mt::Executor::*kRun)(mt::KernelId, const void*, int) = &Hidden::run;
  };
  void run_on(mt::KernelId id, const void* kernel, int count) {
    ((*executor_).*Hidden::kRun)(id, kernel, count);
  }
  std::shared_ptr<mt::Executor> executor_ = mt::make_cpu_executor(2);
};

struct Case {
  const char* name;
  void (*change)(FrameSettings&);
  int lookahead = 0;
  mosaic::UseSettings uses{};
};

/// Plays a clip. A frame that was given up is followed by the next, as after a flush.
class Player {
 public:
  explicit Player(const Case& c)
      : lookahead_(c.lookahead),
        grid_(mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "1")),
        engine_(grid_, test::procedural_pool(*mt::make_cpu_executor(2), kSide, kSide, false),
                c.uses, executor) {
    settings_.look = mosaic::load_profile("vivid_b");
    settings_.look.fidelity = 0.5;
    c.change(settings_);
  }

  /// Draws the frame. Throws mt::Cancelled.
  std::vector<uint8_t> draw(int number) {
    RgbFrame out(kWidth, kHeight), in = test::moving_disc(kWidth, kHeight, number);
    engine_.set_lookahead(lookahead_);
    while (lookahead_ > 0 && engine_.frames_ahead() <= lookahead_) {
      RgbFrame later = test::moving_disc(kWidth, kHeight, number + engine_.frames_ahead());
      engine_.analyse_ahead(later.view(), settings_);
    }
    engine_.process(in.view(), out.view(), settings_);
    return out.pixels;
  }

  mosaic::Stages stages() { return engine_.stages(); }

  const std::shared_ptr<CancellingExecutor> executor = std::make_shared<CancellingExecutor>();

 private:
  int lookahead_;
  Grid grid_;
  FrameSettings settings_;
  Engine engine_;
};

class Cancelling : public testing::TestWithParam<Case> {};

TEST_P(Cancelling, AtAnyLaunchIsFollowedByTheFramesOfANewEngine) {
  constexpr int kFirst = 1, kGivenUp = 3, kNext = 20, kEnd = 23;
  Player fresh(GetParam());
  std::vector<std::vector<uint8_t>> expected;
  for (int i = kNext; i < kEnd; ++i) expected.push_back(fresh.draw(i));
  // One engine goes through everything, so that each frame follows many that were given up.
  Player player(GetParam());
  int cancelled = 0;
  for (int at = 1;; at += kLaunchStep) {
    for (int i = kFirst; i < kGivenUp; ++i) player.draw(i);
    player.executor->cancel_at = player.executor->launches + at;
    bool finished = true;
    try {
      player.draw(kGivenUp);
    } catch (const mt::Cancelled&) {
      finished = false;
    }
    player.executor->cancel_at = 0;
    player.executor->cancelled = false;
    if (finished) break;
    ++cancelled;
    for (int i = kNext; i < kEnd; ++i)
      ASSERT_EQ(player.draw(i), expected[i - kNext]) << "frame " << i << ", launch " << at;
  }
  EXPECT_GT(cancelled, 10 / kLaunchStep);
}

TEST_P(Cancelling, BeforeAFrameDrawsNothing) {
  Player player(GetParam());
  player.draw(0);
  const int before = player.executor->launches;
  player.executor->cancelled = true;
  EXPECT_THROW(player.draw(1), mt::Cancelled);
  EXPECT_EQ(player.executor->launches, before);
}

TEST(CancellingFiles, OfIntermediatePicturesLeavesNone) {
  Player player(Case{"Default", [](FrameSettings&) {}});
  player.draw(0);
  player.executor->cancelled = true;
  const auto folder = std::filesystem::temp_directory_path() /
                      ("mosaic-cancellation-" + std::to_string(::getpid()));
  EXPECT_THROW(mosaic::write_intermediate(*player.executor, player.stages(), 0, {folder.string()}),
               mt::Cancelled);
  EXPECT_FALSE(std::filesystem::exists(folder));
}

INSTANTIATE_TEST_SUITE_P(
    With, Cancelling,
    testing::Values(
        Case{"Default", [](FrameSettings&) {}},
        Case{"ExactGrading", [](FrameSettings& s) { s.look.fidelity = 0; }},
        Case{"BlendAndFlow",
             [](FrameSettings& s) {
               s.flow = mosaic::Flow::kBlock;
               s.temporal_blend = 4;
               s.overlay = mosaic::kOverlayCost | mosaic::kOverlayMotion;
             }},
        Case{"LaplacianBlend", [](FrameSettings& s) { s.look.laplacian_blend = true; }},
        Case{"Diffusion",
             [](FrameSettings& s) { s.look.placement = mosaic::PlacementKind::kDiffusion; }},
        Case{
            "Greedy", [](FrameSettings& s) { s.effort = mosaic::Effort::kGreedy; }, 0, {.most = 3}},
        Case{"Photos", [](FrameSettings&) {}, 0, {mosaic::Unit::kPhoto, 3}},
        Case{"Lookahead", [](FrameSettings&) {}, 2}),
    [](const auto& info) { return info.param.name; });

}  // namespace
