// SPDX-License-Identifier: LGPL-2.1-or-later
// Every numeric property at the ends of its range, with every placement and solver. Nothing may
// fail; sanitizers report bad memory accesses.
#include <limits>
#include <utility>

#include "tests/element/harness.h"

namespace {

using namespace element_test;

constexpr int kWidth = 40, kHeight = 24;

/// The values to try: both ends of the range and, where a number is converted to an int, the first
/// that does not fit.
std::vector<std::string> extremes_of(const GParamSpec* spec) {
  const auto texts = [](auto least, auto most) {
    std::vector<std::string> values = {std::to_string(least), std::to_string(most)};
    constexpr auto kInt = std::numeric_limits<int>::max();
    if (std::cmp_greater(most, kInt)) values.push_back(std::to_string(int64_t{kInt} + 1));
    return values;
  };
  if (G_IS_PARAM_SPEC_INT(spec))
    return texts(G_PARAM_SPEC_INT(spec)->minimum, G_PARAM_SPEC_INT(spec)->maximum);
  if (G_IS_PARAM_SPEC_UINT(spec))
    return texts(G_PARAM_SPEC_UINT(spec)->minimum, G_PARAM_SPEC_UINT(spec)->maximum);
  if (G_IS_PARAM_SPEC_UINT64(spec))
    return texts(G_PARAM_SPEC_UINT64(spec)->minimum, G_PARAM_SPEC_UINT64(spec)->maximum);
  if (G_IS_PARAM_SPEC_DOUBLE(spec))
    return {std::to_string(G_PARAM_SPEC_DOUBLE(spec)->minimum),
            std::to_string(G_PARAM_SPEC_DOUBLE(spec)->maximum)};
  return {};
}

/// The element's own properties that are numbers.
std::vector<GParamSpec*> numeric_properties(GstElement* element) {
  guint count = 0;
  GParamSpec** specs = g_object_class_list_properties(G_OBJECT_GET_CLASS(element), &count);
  std::vector<GParamSpec*> numbers;
  for (guint i = 0; i < count; ++i)
    if (!g_type_is_a(GST_TYPE_BASE_TRANSFORM, specs[i]->owner_type) &&
        !extremes_of(specs[i]).empty())
      numbers.push_back(specs[i]);
  g_free(specs);
  return numbers;
}

class Extremes : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(Extremes, OfNumericPropertiesGiveAMosaic) {
  const TempFolder photos;
  write_photos(photos.path(), 6);
  const auto [placement, solver] = GetParam();
  Element element;
  GObject* object = G_OBJECT(element.get());
  element.set("tile-location", photos.path().c_str(), "tile-size", 8U, "size", "15");
  gst_util_set_object_arg(object, "placement", placement);
  gst_util_set_object_arg(object, "solver", solver);
  gst_util_set_object_arg(object, "flow", "block");
  ASSERT_TRUE(element.set_caps(video_caps("RGB", kWidth, kHeight)));
  const GstVideoInfo info = video_info("RGB", kWidth, kHeight);
  int frame = 0;
  const std::vector<GParamSpec*> numbers = numeric_properties(element.get());
  EXPECT_GT(numbers.size(), 25U);
  for (const GParamSpec* spec : numbers) {
    GValue usual = G_VALUE_INIT;
    g_object_get_property(object, spec->name, &usual);
    for (const std::string& value : extremes_of(spec)) {
      SCOPED_TRACE(std::string(spec->name) + "=" + value);
      gst_util_set_object_arg(object, spec->name, value.c_str());
      for (int i = 0; i < 2; ++i) ASSERT_EQ(element.push(make_frame(info, ++frame)), GST_FLOW_OK);
    }
    g_object_set_property(object, spec->name, &usual);
    g_value_unset(&usual);
  }
  ASSERT_EQ(element.push(make_frame(info, ++frame)), GST_FLOW_OK);
  EXPECT_EQ(element.pop_report(GST_MESSAGE_ERROR).text, "");
  EXPECT_EQ(element.pop_report(GST_MESSAGE_WARNING).text, "");
  EXPECT_EQ(gst_harness_buffers_received(element.harness()), static_cast<guint>(frame))
      << "each frame, those that lookahead held back too";
}

INSTANTIATE_TEST_SUITE_P(WithEvery, Extremes,
                         testing::Combine(testing::Values("hungarian", "faiss_diffusion"),
                                          testing::Values("auto", "exact", "auction", "greedy",
                                                          "diffusion")),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_" +
                                  std::get<1>(info.param);
                         });

}  // namespace
