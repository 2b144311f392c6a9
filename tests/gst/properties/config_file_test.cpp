// SPDX-License-Identifier: LGPL-2.1-or-later
// The fields of mosaic-temporal-gpu's D1Config as properties: what they do, and which error a wrong
// value gives.
#include <fstream>

#include "gst/properties/settings.h"
#include "tests/gst/harness.h"

namespace {

using namespace element_test;
using mosaic_gst::Settings;

constexpr int kWidth = 160, kHeight = 90;

void start(Element& element) {
  element.set("size", "16x9", "unit", 1, "max-tile-uses", 1U, "tile-location", nullptr);
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
  element.set("rerank", 0);  // so that the cost is that of the assignment
  start(element);
  Outcome outcome;
  outcome.picture = process(element, 0);
  outcome.cost = element.stat<double>("cost");
  outcome.gap = element.stat<double>("gap");
  return outcome;
}

TEST(Solver, ExactIsOptimalAndOthersReportTheirGap) {
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

TEST(Solver, OverridesThePlacementOfTheProfile) {
  using mosaic::PlacementKind;
  Settings settings;
  const auto placement = [&](mosaic_gst::Solver solver) {
    settings.solver = solver;
    return settings.frame_settings(0).look.placement;
  };
  for (const PlacementKind of_profile : {PlacementKind::kAssignment, PlacementKind::kDiffusion}) {
    settings.frame.look.placement = of_profile;
    EXPECT_EQ(placement(mosaic_gst::Solver::kAuto), of_profile);
    EXPECT_EQ(placement(mosaic_gst::Solver::kExact), PlacementKind::kAssignment);
    EXPECT_EQ(placement(mosaic_gst::Solver::kDiffusion), PlacementKind::kDiffusion);
  }
}

TEST(Solver, HasTheConfiguredTimeOrHalfALiveFrame) {
  Settings settings;
  EXPECT_EQ(settings.solve_budget(false, 40 * GST_MSECOND), 0);
  EXPECT_EQ(settings.solve_budget(true, 40 * GST_MSECOND), 20 * GST_MSECOND);
  for (const bool live : {false, true}) {
    settings.max_solve_time = 10 * GST_MSECOND;
    EXPECT_EQ(settings.solve_budget(live, 40 * GST_MSECOND), 10 * GST_MSECOND);
    settings.max_solve_time = 0;
    EXPECT_EQ(settings.solve_budget(live, 40 * GST_MSECOND), 0);
    settings.max_solve_time = GST_CLOCK_TIME_NONE - 1;
    EXPECT_GT(settings.solve_budget(live, 40 * GST_MSECOND), 0);
  }
}

TEST(Solver, ExactHasNoTimeLimit) {
  Settings settings;
  EXPECT_EQ(settings.frame_settings(7).solve_budget_ns, 7);
  settings.solver = mosaic_gst::Solver::kExact;
  EXPECT_EQ(settings.frame_settings(7).solve_budget_ns, 0);
  settings.solver = mosaic_gst::Solver::kAuction;
  EXPECT_EQ(settings.frame_settings(7).solve_budget_ns, 7);
}

TEST(Pipeline, DoesNotChangeThePicture) {
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

TEST(Selectors, DoNotChangeThePicture) {
  Element usual, chosen;
  chosen.set("ssim-impl", "torch_exact", "swap-impl", "anything", "assemble-impl", "gpu",
             "postprocess-impl", "cpu");
  start(usual), start(chosen);
  EXPECT_EQ(process(usual, 0), process(chosen, 0));
}

TEST(Selectors, RejectUnknownWordsAndListTheAllowedOnes) {
  struct Case {
    const char *property, *word, *allowed;
  };
  for (const Case& c :
       {Case{"ssim-impl", "torch", "use auto, torch_exact or skimage"},
        Case{"ssim-impl", "", "use auto, torch_exact or skimage"},
        Case{"assemble-impl", "GPU", "use auto, gpu or cpu"},
        Case{"postprocess-impl", "cuda", "use auto, gpu or cpu"},
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

TEST(FlowSize, IsPassedToTheEngine) {
  Settings settings;
  EXPECT_EQ(settings.frame_settings(0).flow_width, mosaic::FrameSettings{}.flow_width);
  EXPECT_EQ(settings.frame_settings(0).flow_height, mosaic::FrameSettings{}.flow_height);
  settings.flow_size = "16X9";
  EXPECT_EQ(settings.frame_settings(0).flow_width, 16);
  EXPECT_EQ(settings.frame_settings(0).flow_height, 9);
}

/// Vertical lines of one pixel, alternately black and white. Scaled down, they are grey.
Buffer make_lines(int first) {
  const GstVideoInfo info = video_info("RGB", kWidth, kHeight);
  Buffer frame = make_flat_frame(info, 0);
  Mapped pixels(info, frame, GST_MAP_READWRITE);
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) pixels.at(c, x, y) = (x + first) % 2 ? 255 : 0;
  return frame;
}

TEST(FlowSize, IsTheSizeAtWhichScenesAreCompared) {
  for (const auto& [flow_size, new_scene] : {std::pair{"160x90", true}, {"16X9", false}}) {
    SCOPED_TRACE(flow_size);
    Element element;
    element.set("flow-size", flow_size, "silent", FALSE);
    start(element);
    gboolean keyframe = FALSE;
    for (const int first : {0, 1}) {
      ASSERT_TRUE(element.process(make_lines(first)));
      const Message message = element.pop(GST_MESSAGE_ELEMENT);
      ASSERT_TRUE(message);
      gst_structure_get_boolean(gst_message_get_structure(message.get()), "keyframe", &keyframe);
      EXPECT_TRUE(keyframe || first > 0);
    }
    EXPECT_EQ(keyframe != FALSE, new_scene) << "every line has moved by a pixel";
  }
}

TEST(EmaAlpha, IsPassedToTheEngine) {
  Settings settings;
  EXPECT_EQ(settings.frame_settings(0).ema_alpha, mosaic::FrameSettings{}.ema_alpha);
  settings.frame.ema_alpha = 0.75;
  EXPECT_EQ(settings.frame_settings(0).ema_alpha, 0.75);
}

TEST(UnsetStrings, HaveTheirDefaults) {
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

// All fields of mosaic-temporal-gpu's dataclass, as TOML and as YAML.
constexpr char kToml[] = R"(profile_name = "natural"
size = "24x13"
beta = 0.5
ema_alpha = 0
flow_size = [320, 180]
keep_intermediate = false
silent = false
png_compression = 9
device = "cpu"
solver = "torch-lap"
pipeline = "stream"
ssim_impl = "torch_exact"
swap_impl = "python"
assemble_impl = "gpu"
postprocess_impl = "gpu"
)";
constexpr char kYaml[] = R"(profile_name: natural
size: 24x13
beta: 0.5
ema_alpha: 0
flow_size: !!python/tuple
- 320
- 180
keep_intermediate: false
silent: no
png_compression: 9
device: cpu
solver: torch-lap
pipeline: stream
ssim_impl: torch_exact
swap_impl: python
assemble_impl: gpu
postprocess_impl: gpu
)";

template <class T>
T get(Element& element, const char* name) {
  T value{};
  g_object_get(element.get(), name, &value, nullptr);
  return value;
}

std::string text(Element& element, const char* name) {
  gchar* value = get<gchar*>(element, name);
  const std::string copy = value ? value : "NULL";
  g_free(value);
  return copy;
}

class ConfigFile : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const std::string path = folder.path(name);
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  /// The error that the file at `path` causes before any frame goes out.
  Element::Report error_of(const std::string& path) {
    Element element;
    element.set("config-location", path.c_str());
    start(element);
    EXPECT_EQ(element.push(make_frame(video_info("RGB", kWidth, kHeight))), GST_FLOW_ERROR);
    EXPECT_EQ(gst_harness_buffers_received(element.harness()), 0U);
    return element.pop_report(GST_MESSAGE_ERROR);
  }
  const TempFolder folder;
};

TEST_F(ConfigFile, IsReadFromTomlAndYaml) {
  for (const std::string& path : {write("c.toml", kToml), write("c.yaml", kYaml)}) {
    SCOPED_TRACE(path);
    Element element;
    element.set("config-location", path.c_str());
    EXPECT_EQ(text(element, "config-location"), path);
    EXPECT_EQ(text(element, "profile-name"), "natural");
    EXPECT_EQ(get<gdouble>(element, "sharpness"), 0.23) << "of the profile";
    EXPECT_EQ(text(element, "size"), "24x13");
    EXPECT_EQ(get<gdouble>(element, "beta"), 0.5);
    EXPECT_EQ(get<gdouble>(element, "ema-alpha"), 0);
    EXPECT_EQ(text(element, "flow-size"), "320x180");
    EXPECT_EQ(get<gint>(element, "png-compression"), 9);
    EXPECT_FALSE(get<gboolean>(element, "silent"));
    EXPECT_EQ(get<gint>(element, "device"), static_cast<int>(mosaic_gst::Device::kCpu));
    EXPECT_EQ(get<gint>(element, "solver"), static_cast<int>(mosaic_gst::Solver::kAuction));
    EXPECT_EQ(get<gint>(element, "pipeline"), 0);
    EXPECT_EQ(text(element, "ssim-impl"), "torch_exact");
    EXPECT_EQ(text(element, "swap-impl"), "python");
    EXPECT_EQ(text(element, "assemble-impl"), "gpu");
    EXPECT_EQ(text(element, "postprocess-impl"), "gpu");
    ASSERT_TRUE(element.set_caps(video_caps("RGB", kWidth, kHeight)));
    EXPECT_TRUE(element.process(make_frame(video_info("RGB", kWidth, kHeight))));
    EXPECT_EQ(element.stat<guint>("cells"), 24U * 13);
  }
}

TEST_F(ConfigFile, SetsOnlyThePropertiesItNames) {
  const std::string path = write("c.yml", "size: 300\nsolver: scipy\nflow_size: 64x36\n");
  Element element;
  element.set("beta", 0.75, "size", "12");
  element.set("config-location", path.c_str(), "solver", 0);
  EXPECT_EQ(text(element, "size"), "300");
  EXPECT_EQ(text(element, "flow-size"), "64x36");
  EXPECT_EQ(get<gdouble>(element, "beta"), 0.75);
  EXPECT_EQ(get<gint>(element, "solver"), 0) << "set after it";
  element.set("config-location", nullptr);
  EXPECT_EQ(text(element, "config-location"), "NULL");
  EXPECT_EQ(text(element, "size"), "300");
}

TEST_F(ConfigFile, MeansNoFidelityUnlessItSaysSo) {
  const std::string silent = write("a.toml", "profile_name = \"vivid_b\"\n");
  const std::string half = write("b.toml", "fidelity = 0.25\nprofile_name = \"vivid\"\n");
  const std::string own = write("c.toml", "profile_name = \"faithful\"\n");
  Element element;
  EXPECT_EQ(get<gdouble>(element, "fidelity"), 0.5);
  element.set("config-location", silent.c_str());
  EXPECT_EQ(get<gdouble>(element, "fidelity"), 0);
  element.set("profile-name", "vivid_b");
  EXPECT_EQ(get<gdouble>(element, "fidelity"), 0.5);
  element.set("config-location", half.c_str());
  EXPECT_EQ(get<gdouble>(element, "fidelity"), 0.25);
  element.set("config-location", own.c_str());
  EXPECT_EQ(get<gdouble>(element, "fidelity"), 0.75);
}

TEST_F(ConfigFile, CountsTilesUnlessItSpeaksOfPhotos) {
  Element element;
  for (const char* fields : {"unit = \"photo\"", "max_photo_uses = 2", "min_photo_uses = 1"}) {
    element.set("unit", 0, "config-location", write("photos.toml", fields).c_str());
    EXPECT_EQ(get<gint>(element, "unit"), 0) << fields;
  }
  element.set("config-location", write("tiles.toml", "size = 300\n").c_str());
  EXPECT_EQ(get<gint>(element, "unit"), 1);
}

TEST_F(ConfigFile, ErrorsNameFileLineAndAllowedValues) {
  struct Case {
    const char *line, *what, *allowed;
  };
  for (const Case& c : {
           Case{"beta = 1.5", "beta is 1.5", "from 0 to 1"},
           Case{"beta = \"high\"", "beta is not a number", "from 0 to 1"},
           Case{"ema_alpha = nan", "ema_alpha is nan", "from 0 to 1"},
           Case{"png_compression = 10", "png_compression is 10", "from 0 to 9"},
           Case{"png_compression = 1.5", "is not a whole number", "from 0 to 9"},
           Case{"silent = 1", "silent is not a boolean", "use true or false"},
           Case{"device = \"gpu\"", "device \"gpu\" is not valid", "use auto, cpu or cuda"},
           Case{"solver = \"magic\"", "solver \"magic\"",
                "use auto, exact, scipy, auction, torch-lap, greedy or diffusion"},
           Case{"pipeline = 3", "pipeline is not valid", "use stream or sequential"},
           Case{"ssim_impl = \"torch\"", "ssim-impl \"torch\"", "use auto, torch_exact or skimage"},
           Case{"assemble_impl = \"\"", "assemble-impl \"\"", "use auto, gpu or cpu"},
           Case{"postprocess_impl = true", "postprocess_impl is not a string", ""},
           Case{"flow_size = [480]", "flow-size \"480\" is not a valid size", "WIDTHxHEIGHT"},
           Case{"flow_size = [480, 272, 3]", "flow-size", "WIDTHxHEIGHT"},
           Case{"flow_size = [480, -1]", "flow-size", "from 1x1 to 16384x16384"},
           Case{"flow_size = [480.5, 1]", "flow_size is not a string", ""},
           Case{"size = \"many\"", "size \"many\" is not a valid number of cells", "COLUMNSxROWS"},
           Case{"size = 0", "size \"0\"", "COLUMNSxROWS"},
           Case{"profile_name = \"sepia\"", "there is no profile sepia", "vivid_b"},
           Case{"cq = 19", "there is no field cq", "fields: profile_name, size, beta, "},
           Case{"[encoder]", "there is no field encoder", "fields: profile_name, "},
           Case{"beta 1", "line 2", "key = value"},
       }) {
    SCOPED_TRACE(c.line);
    const std::string path = write("c.toml", "# comment\n" + std::string(c.line) + "\n");
    const Element::Report report = error_of(path);
    EXPECT_EQ(report.domain, GST_LIBRARY_ERROR);
    EXPECT_EQ(report.code, GST_LIBRARY_ERROR_SETTINGS);
    for (const std::string& part :
         {path + ", line 2: ", std::string(c.what), std::string(c.allowed)})
      EXPECT_NE(report.text.find(part), std::string::npos) << part << " in: " << report.text;
  }
}

TEST_F(ConfigFile, IsNamedIfItDoesNotExist) {
  const Element::Report report = error_of(folder.path("none.toml"));
  EXPECT_EQ(report.domain, GST_RESOURCE_ERROR);
  EXPECT_EQ(report.code, GST_RESOURCE_ERROR_NOT_FOUND);
  EXPECT_NE(report.text.find(folder.path("none.toml")), std::string::npos) << report.text;
}

TEST_F(ConfigFile, SetsNothingIfInvalidAndIsClearedWhenUnset) {
  const std::string path = write("c.toml", "beta = 0.5\nsize = 100\ncolour = 1\n");
  Element element;
  element.set("config-location", path.c_str());
  EXPECT_EQ(get<gdouble>(element, "beta"), 0.3);
  EXPECT_EQ(text(element, "size"), "48") << "that of the test's elements";
  element.set("profile-name", "plain");
  start(element);
  EXPECT_EQ(element.push(make_frame(video_info("RGB", kWidth, kHeight))), GST_FLOW_ERROR);
  element.set("config-location", nullptr);
  EXPECT_TRUE(element.process(make_frame(video_info("RGB", kWidth, kHeight))));
}

}  // namespace
