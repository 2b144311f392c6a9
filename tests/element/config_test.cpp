// SPDX-License-Identifier: LGPL-2.1-or-later
// D1Config's fields as properties: what they do, and what is said of a word that is none.
#include "gst/properties.h"
#include "harness.h"

namespace {

using namespace element_test;
using mosaic_gst::Settings;

constexpr int kWidth = 160, kHeight = 90;

void start(Element& element) {
  element.set("size", "16x9", "max-tile-uses", 1U, "tile-location", nullptr);
  ASSERT_TRUE(element.set_caps(video_caps("RGB", kWidth, kHeight)));
}

std::vector<uint8_t> process(Element& element, int number) {
  const Buffer out = element.process(make_frame(video_info("RGB", kWidth, kHeight), number));
  EXPECT_TRUE(out);
  return out ? bytes_of(out) : std::vector<uint8_t>();
}

struct Outcome {
  double cost, gap;
  std::vector<uint8_t> picture;
};

Outcome solved_by(const char* solver) {
  Element element;
  gst_util_set_object_arg(G_OBJECT(element.get()), "solver", solver);
  element.set("rerank", 0);  // the costs are those of the assignment
  start(element);
  Outcome outcome;
  outcome.picture = process(element, 0);
  outcome.cost = element.stat<double>("cost");
  outcome.gap = element.stat<double>("gap");
  return outcome;
}

TEST(Solver, ExactIsTheLeastAndTheOthersSayHowFarTheyAreFromIt) {
  const Outcome best = solved_by("exact"), usual = solved_by("auto"), bids = solved_by("auction"),
                greedy = solved_by("greedy");
  EXPECT_EQ(best.gap, 0);
  EXPECT_EQ(best.picture, usual.picture);
  EXPECT_EQ(best.cost, usual.cost);
  EXPECT_GE(bids.cost, best.cost);
  EXPECT_LE(bids.cost, best.cost * (1 + bids.gap) * (1 + 1e-6)) << "the gap is certified";
  EXPECT_GT(greedy.cost, best.cost);
  EXPECT_GT(greedy.gap, bids.gap);
  EXPECT_LE(greedy.cost, best.cost * (1 + greedy.gap) * (1 + 1e-6));
  EXPECT_NE(greedy.picture, best.picture);
}

TEST(Solver, GoesBeforeTheProfilesPlacement) {
  using mosaic::PlacementKind;
  Settings settings;
  const auto placement = [&](mosaic_gst::Solver solver) {
    settings.config.solver = solver;
    return settings.frame_settings(0).look.placement;
  };
  for (const PlacementKind of_profile : {PlacementKind::kAssignment, PlacementKind::kDiffusion}) {
    settings.look.placement = of_profile;
    EXPECT_EQ(placement(mosaic_gst::Solver::kAuto), of_profile);
    EXPECT_EQ(placement(mosaic_gst::Solver::kExact), PlacementKind::kAssignment);
    EXPECT_EQ(placement(mosaic_gst::Solver::kDiffusion), PlacementKind::kDiffusion);
  }
}

TEST(Solver, ExactHasAllTheTimeItNeeds) {
  Settings settings;
  EXPECT_EQ(settings.frame_settings(7).solve_budget_ns, 7);
  settings.config.solver = mosaic_gst::Solver::kExact;
  EXPECT_EQ(settings.frame_settings(7).solve_budget_ns, 0);
  settings.config.solver = mosaic_gst::Solver::kAuction;
  EXPECT_EQ(settings.frame_settings(7).solve_budget_ns, 7);
}

TEST(Pipeline, IsNotSeenInThePicture) {
  std::vector<std::vector<uint8_t>> seen;
  for (const char* pipeline : {"stream", "sequential"}) {
    Element element;
    gst_util_set_object_arg(G_OBJECT(element.get()), "pipeline", pipeline);
    start(element);
    process(element, 0);
    seen.push_back(process(element, 1));
  }
  EXPECT_EQ(seen[0], seen[1]);
}

TEST(Selectors, AreNotSeenInThePicture) {
  Element usual, chosen;
  chosen.set("ssim-impl", "torch_exact", "swap-impl", "anything", "assemble-impl", "gpu",
             "postprocess-impl", "cpu");
  start(usual), start(chosen);
  EXPECT_EQ(process(usual, 0), process(chosen, 0));
}

TEST(Selectors, AWordThatIsNoneIsAnErrorThatNamesThoseThereAre) {
  struct Case {
    const char *property, *word, *allowed;
  };
  for (const Case& c :
       {Case{"ssim-impl", "torch", "auto, torch_exact, skimage"},
        Case{"ssim-impl", "", "auto, torch_exact, skimage"},
        Case{"assemble-impl", "GPU", "auto, gpu, cpu"},
        Case{"postprocess-impl", "cuda", "auto, gpu, cpu"},
        Case{"flow-size", "480", "WIDTHxHEIGHT"}, Case{"flow-size", "x272", "WIDTHxHEIGHT"},
        Case{"flow-size", "480x272x1", "WIDTHxHEIGHT"},
        Case{"flow-size", "0x272", "from 1x1 to 16384x16384"},
        Case{"flow-size", "480x16385", "from 1x1 to 16384x16384"},
        Case{"flow-size", "480x-1", "WIDTHxHEIGHT"}, Case{"flow-size", " 480x1", "WIDTHxHEIGHT"},
        Case{"flow-size", "99999999999x1", "WIDTHxHEIGHT"}}) {
    SCOPED_TRACE(std::string(c.property) + "=" + c.word);
    Element element;
    element.set(c.property, c.word);
    start(element);
    EXPECT_EQ(element.push(make_frame(video_info("RGB", kWidth, kHeight))), GST_FLOW_ERROR);
    EXPECT_EQ(gst_harness_buffers_received(element.harness()), 0U);
    const Element::Report report = element.pop_report(GST_MESSAGE_ERROR);
    EXPECT_EQ(report.domain, GST_LIBRARY_ERROR);
    EXPECT_EQ(report.code, GST_LIBRARY_ERROR_SETTINGS);
    for (const char* part : {c.property, c.word, c.allowed})
      EXPECT_NE(report.text.find(part), std::string::npos) << part << " in: " << report.text;
  }
}

TEST(FlowSize, GoesToTheEngine) {
  Element element;
  element.set("flow-size", "16X9");
  start(element);
  EXPECT_FALSE(process(element, 0).empty());
  Settings settings;
  EXPECT_EQ(settings.frame_settings(0).flow_width, mosaic::FrameSettings{}.flow_width);
  EXPECT_EQ(settings.frame_settings(0).flow_height, mosaic::FrameSettings{}.flow_height);
}

TEST(EmaAlpha, GoesToTheEngine) {
  Settings settings;
  EXPECT_EQ(settings.frame_settings(0).ema_alpha, mosaic::FrameSettings{}.ema_alpha);
  settings.config.ema_alpha = 0.75;
  EXPECT_EQ(settings.frame_settings(0).ema_alpha, 0.75);
}

TEST(Unset, TextsAreTheirDefaults) {
  Element element;
  for (const auto& [name, initial] :
       {std::pair{"flow-size", "480x272"}, std::pair{"ssim-impl", "auto"},
        std::pair{"swap-impl", "auto"}, std::pair{"assemble-impl", "auto"},
        std::pair{"postprocess-impl", "auto"}}) {
    element.set(name, nullptr);
    gchar* value = nullptr;
    g_object_get(element.get(), name, &value, nullptr);
    EXPECT_STREQ(value, initial) << name;
    g_free(value);
  }
}

}  // namespace
