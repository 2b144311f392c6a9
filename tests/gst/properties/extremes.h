// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Tries every property at the ends of its range, with each placement and solver, on one device.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/gst/harness.h"
#include "tests/sampling.h"

namespace element_test {

inline std::string text_of(double number) {
  std::array<char, G_ASCII_DTOSTR_BUF_SIZE> text;
  return g_ascii_dtostr(text.data(), static_cast<int>(text.size()), number);
}

/// Both ends of a range and, where a number may be converted to an int, the first that does not
/// fit.
template <class Number>
std::vector<std::string> ends(Number least, Number most) {
  std::vector<std::string> values = {std::to_string(least), std::to_string(most)};
  constexpr auto kInt = std::numeric_limits<int>::max();
  if (std::cmp_greater(most, kInt)) values.push_back(std::to_string(int64_t{kInt} + 1));
  return values;
}

/// Every value of an enumeration.
inline std::vector<std::string> names_of(const GEnumClass* values) {
  std::vector<std::string> names;
  for (guint i = 0; i < values->n_values; ++i) names.push_back(values->values[i].value_nick);
  return names;
}

/// No flag, and all.
inline std::vector<std::string> names_of(const GFlagsClass* values) {
  std::string all;
  for (guint i = 0; i < values->n_values; ++i)
    all += std::string(all.empty() ? "" : "+") + values->values[i].value_nick;
  return {"", all};
}

/// The values of a property to try; none for texts that have no range.
inline std::vector<std::string> extremes_of(const GParamSpec* spec) {
  static const std::map<std::string, std::vector<std::string>> texts = {
      {"size", {"1", "268435456", "1x1", "16384x16384", "16384x1", "1x16384"}},
      {"flow-size", {"1x1", "16384x16384", "16384x1", "1x16384"}},
      {"ssim-impl", {"auto", "skimage"}},
      {"assemble-impl", {"auto", "cpu"}},
      {"postprocess-impl", {"auto", "cpu"}},
  };
  if (G_IS_PARAM_SPEC_INT(spec))
    return ends(G_PARAM_SPEC_INT(spec)->minimum, G_PARAM_SPEC_INT(spec)->maximum);
  if (G_IS_PARAM_SPEC_UINT(spec))
    return ends(G_PARAM_SPEC_UINT(spec)->minimum, G_PARAM_SPEC_UINT(spec)->maximum);
  if (G_IS_PARAM_SPEC_UINT64(spec))
    return ends(G_PARAM_SPEC_UINT64(spec)->minimum, G_PARAM_SPEC_UINT64(spec)->maximum);
  if (G_IS_PARAM_SPEC_DOUBLE(spec))
    return {text_of(G_PARAM_SPEC_DOUBLE(spec)->minimum),
            text_of(G_PARAM_SPEC_DOUBLE(spec)->maximum)};
  if (G_IS_PARAM_SPEC_BOOLEAN(spec)) return {"false", "true"};
  if (G_IS_PARAM_SPEC_ENUM(spec)) return names_of(G_PARAM_SPEC_ENUM(spec)->enum_class);
  if (G_IS_PARAM_SPEC_FLAGS(spec)) return names_of(G_PARAM_SPEC_FLAGS(spec)->flags_class);
  const auto found = texts.find(spec->name);
  return found == texts.end() ? std::vector<std::string>() : found->second;
}

/// The element's own properties that have a range, but for those that the test itself needs.
inline std::vector<GParamSpec*> properties_to_try(GstElement* element) {
  guint count = 0;
  GParamSpec** specs = g_object_class_list_properties(G_OBJECT_GET_CLASS(element), &count);
  std::vector<GParamSpec*> tried;
  for (guint i = 0; i < count; ++i) {
    const std::string name = specs[i]->name;
    // No decoder is upstream, so require-hardware is an error.
    if (name == "device" || name == "placement" || name == "solver" || name == "require-hardware")
      continue;
    if ((specs[i]->flags & G_PARAM_WRITABLE) &&
        !g_type_is_a(GST_TYPE_BASE_TRANSFORM, specs[i]->owner_type) &&
        !extremes_of(specs[i]).empty())
      tried.push_back(specs[i]);
  }
  g_free(specs);
  return tried;
}

/// Placement and solver.
class Extremes : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  /// Sets one property after another to the ends of its range; every frame must become a mosaic.
  void try_all(const char* device) {
    constexpr int kWidth = 40, kHeight = 24;
    const TempFolder photos, intermediate;
    write_photos(photos.path(), 6);
    const auto [placement, solver] = GetParam();
    Element element;
    GObject* object = G_OBJECT(element.get());
    element.set("tile-location", photos.path().c_str(), "size", "15", "intermediate-location",
                intermediate.path().c_str());
    for (const auto& [name, value] : {std::pair("placement", placement),
                                      {"solver", solver},
                                      {"flow", "block"},
                                      {"device", device}})
      gst_util_set_object_arg(object, name, value);
    ASSERT_TRUE(element.set_caps(video_caps("RGB", kWidth, kHeight)));
    const GstVideoInfo info = video_info("RGB", kWidth, kHeight);
    int frame = 0;
    const std::vector<GParamSpec*> properties = properties_to_try(element.get());
    EXPECT_GT(properties.size(), 40U);
    for (const GParamSpec* spec : properties) {
      GValue usual = G_VALUE_INIT;
      g_object_get_property(object, spec->name, &usual);
      for (const std::string& value : extremes_of(spec)) {
        SCOPED_TRACE(std::string(spec->name) + "=" + value);
        gst_util_set_object_arg(object, spec->name, value.c_str());
        for (int i = 0; i < 2; ++i)
          ASSERT_EQ(element.push(make_frame(info, ++frame)), GST_FLOW_OK)
              << element.pop_report(GST_MESSAGE_ERROR).text;
        const std::string warning = element.pop_report(GST_MESSAGE_WARNING).text;
        // Too many cells; a limit of tiles where photos are counted; no weights.
        EXPECT_TRUE(warning.empty() || std::string("size") == spec->name ||
                    std::string("max-tile-uses") == spec->name ||
                    (std::string("flow") == spec->name && value == "raft"))
            << warning;
      }
      g_object_set_property(object, spec->name, &usual);
      g_value_unset(&usual);
    }
    ASSERT_EQ(element.push(make_frame(info, ++frame)), GST_FLOW_OK);
    EXPECT_EQ(element.pop_report(GST_MESSAGE_ERROR).text, "");
    EXPECT_EQ(gst_harness_buffers_received(element.harness()), static_cast<guint>(frame))
        << "each frame, those that lookahead held back too";
    const Structure stats = element.stats();
    EXPECT_STREQ(gst_structure_get_string(stats.get(), "device"), device);
  }
};

/// Each placement and each solver; a sample has each placement.
inline std::vector<std::tuple<const char*, const char*>> placements_and_solvers() {
  std::vector<std::tuple<const char*, const char*>> all;
  for (const char* solver : {"auto", "greedy", "exact", "auction", "diffusion"})
    for (const char* placement : {"hungarian", "faiss_diffusion"})
      all.emplace_back(placement, solver);
  return sampling::sample(all, 5);  // an odd step alternates between the placements
}

INSTANTIATE_TEST_SUITE_P(WithEvery, Extremes, testing::ValuesIn(placements_and_solvers()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_" +
                                  std::get<1>(info.param);
                         });

}  // namespace element_test
