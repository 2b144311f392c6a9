// SPDX-License-Identifier: LGPL-2.1-or-later
// What introspection shows: names, types, ranges and defaults of the properties.
#include <map>
#include <sstream>

#include <gst/base/gstbasetransform.h>

#include "tests/gst/harness.h"

namespace {

using namespace element_test;

struct Expected {
  const char* type;
  const char* range;  ///< "low..high", or the nicks of an enumeration's values
  const char* initial;
  int flags;  ///< GST_PARAM_* flags
};

constexpr int kPlaying = GST_PARAM_MUTABLE_PLAYING;
constexpr int kControllable = GST_PARAM_MUTABLE_PLAYING | GST_PARAM_CONTROLLABLE;

const std::map<std::string, Expected> kProperties = {
    {"tile-location", {"gchararray", "", "NULL", kPlaying}},
    {"tile-size", {"guint", "0..256", "0", kPlaying}},
    {"size", {"gchararray", "", "\"700\"", kPlaying}},
    {"tile-aspect-ratio", {"gchararray", "", "\"1:1\"", kPlaying}},
    {"crop", {"GstMosaicTemporalCrop", "centre detail", "centre", kPlaying}},
    {"unit", {"GstMosaicTemporalUnit", "photo tile", "photo", kPlaying}},
    {"max-photo-uses", {"guint", "0..4294967295", "0", kPlaying}},
    {"min-photo-uses", {"guint", "0..4294967295", "0", kPlaying}},
    {"show-within", {"guint64", "0..86400000000000", "0", kPlaying}},
    {"show-for", {"guint64", "1..86400000000000", "2000000000", kPlaying}},
    {"max-tile-uses", {"guint", "0..4294967295", "0", kPlaying}},
    {"augment", {"gboolean", "", "TRUE", kPlaying}},
    {"color-variants", {"guint", "0..12", "0", kPlaying}},
    {"cache-location", {"gchararray", "", "NULL", kPlaying}},
    {"dedup-radius", {"guint", "0..16384", "4", kControllable}},
    {"dedup-similarity", {"gdouble", "0..1", "0", kPlaying}},
    {"beta", {"gdouble", "0..1", "0.3", kControllable}},
    {"coherence", {"GstMosaicTemporalCoherence", "temporal none", "temporal", kPlaying}},
    {"flow", {"GstMosaicTemporalFlow", "identity block raft", "identity", kPlaying}},
    {"scene-threshold", {"gdouble", "0..100", "10", kControllable}},
    {"lookahead", {"guint", "0..64", "0", kPlaying}},
    {"max-solve-time",
     {"guint64", "0..18446744073709551615", "18446744073709551615", kControllable}},
    {"live-quality", {"GstMosaicTemporalLiveQuality", "auto keep", "auto", kPlaying}},
    {"temporal-blend", {"guint", "0..16", "4", kControllable}},
    {"mix", {"gdouble", "0..1", "1", kControllable}},
    {"overlay",
     {"GstMosaicTemporalOverlay", "grid changed motion saliency cost age", "0", kControllable}},
    {"n-threads", {"guint", "0..256", "0", kPlaying}},
    {"silent", {"gboolean", "", "TRUE", kPlaying}},
    {"device", {"GstMosaicTemporalDevice", "auto cpu cuda", "auto", GST_PARAM_MUTABLE_READY}},
    {"cuda-device-id", {"gint", "-1..2147483647", "-1", GST_PARAM_MUTABLE_READY}},
    {"require-hardware", {"gboolean", "", "FALSE", GST_PARAM_MUTABLE_READY}},
    {"active-codec", {"gchararray", "", "NULL", 0}},
    {"stats", {"GstStructure", "", "", 0}},
    {"photos", {"GStrv", "", "NULL", 0}},
    {"profile-name", {"gchararray", "", "\"vivid_b\"", kPlaying}},
    {"ema-alpha", {"gdouble", "0..1", "0.15", kControllable}},
    {"flow-size", {"gchararray", "", "\"480x272\"", kPlaying}},
    {"flow-weights", {"gchararray", "", "NULL", kPlaying}},
    {"flow-iterations", {"guint", "1..64", "12", kPlaying}},
    {"window-preset",
     {"GstMosaicTemporalWindowPreset",
      "default spatial-only temporal-only aggressive conservative auto", "auto", kPlaying}},
    {"window-size", {"gint", "-1..16384", "-1", kPlaying}},
    {"window-overlap", {"gint", "-1..16384", "-1", kPlaying}},
    {"window-batch", {"guint", "1..1024", "8", kPlaying}},
    {"window-frames", {"gint", "-1..1048576", "-1", kPlaying}},
    {"window-frames-overlap", {"gint", "-1..1048576", "-1", kPlaying}},
    {"solver",
     {"GstMosaicTemporalSolver", "auto exact auction greedy diffusion", "auto", kPlaying}},
    {"pipeline", {"GstMosaicTemporalPipeline", "stream sequential", "stream", kPlaying}},
    {"ssim-impl", {"gchararray", "", "\"auto\"", kPlaying}},
    {"swap-impl", {"gchararray", "", "\"auto\"", kPlaying}},
    {"assemble-impl", {"gchararray", "", "\"auto\"", kPlaying}},
    {"postprocess-impl", {"gchararray", "", "\"auto\"", kPlaying}},
    {"config-location", {"gchararray", "", "NULL", kPlaying}},
    {"keep-intermediate", {"gboolean", "", "FALSE", kPlaying}},
    {"intermediate-location", {"gchararray", "", "NULL", kPlaying}},
    {"png-compression", {"gint", "0..9", "3", kPlaying}},
    // Values of the profile vivid_b.
    {"placement",
     {"GstMosaicTemporalPlacement", "hungarian faiss_diffusion", "hungarian", kControllable}},
    {"neighbor-swap-rounds", {"gint", "0..100", "5", kControllable}},
    {"rerank", {"gint", "0..25", "25", kControllable}},
    {"error-diffusion-strength", {"gdouble", "0..1", "0.85", kControllable}},
    {"color-transfer",
     {"GstMosaicTemporalColorTransfer", "none adaptive_reinhard histogram hybrid mkl mkl_hybrid",
      "mkl_hybrid", kControllable}},
    {"reinhard-l", {"gdouble", "0..1", "0.5", kControllable}},
    {"reinhard-ab", {"gdouble", "0..1", "0.35", kControllable}},
    {"feather-width", {"gint", "0..32", "1", kControllable}},
    {"laplacian-blend", {"gboolean", "", "FALSE", kControllable}},
    {"laplacian-levels", {"gint", "1..8", "3", kControllable}},
    {"base-blend-min", {"gdouble", "0..1", "0.05", kControllable}},
    {"base-blend-max", {"gdouble", "0..1", "0.14", kControllable}},
    {"gamma", {"gdouble", "0.1..10", "0.94", kControllable}},
    {"shadow-lift", {"gint", "0..255", "9", kControllable}},
    {"local-contrast-clip", {"gdouble", "0..40", "1.8", kControllable}},
    {"local-contrast-grid", {"gint", "1..64", "14", kControllable}},
    {"vibrance", {"gdouble", "0..2", "0.48", kControllable}},
    {"saturation-boost", {"gdouble", "0..5", "2.1", kControllable}},
    {"boost-cool", {"gdouble", "-1..5", "2.1", kControllable}},
    {"boost-warm", {"gdouble", "-1..5", "1.74", kControllable}},
    {"contrast-boost", {"gdouble", "0..5", "1.06", kControllable}},
    {"color-harmony", {"gdouble", "0..1", "0.07", kControllable}},
    {"sharpness", {"gdouble", "0..5", "0.28", kControllable}},
    {"skin-protection", {"gdouble", "0..1", "0.75", kControllable}},
    {"skin-lum-protection", {"gdouble", "0..1", "0.65", kControllable}},
    {"fidelity", {"gdouble", "0..1", "0.5", kControllable}},
};

std::string range_of(GParamSpec* spec) {
  std::ostringstream out;
  if (G_IS_PARAM_SPEC_UINT(spec)) {
    out << G_PARAM_SPEC_UINT(spec)->minimum << ".." << G_PARAM_SPEC_UINT(spec)->maximum;
  } else if (G_IS_PARAM_SPEC_INT(spec)) {
    out << G_PARAM_SPEC_INT(spec)->minimum << ".." << G_PARAM_SPEC_INT(spec)->maximum;
  } else if (G_IS_PARAM_SPEC_UINT64(spec)) {
    out << G_PARAM_SPEC_UINT64(spec)->minimum << ".." << G_PARAM_SPEC_UINT64(spec)->maximum;
  } else if (G_IS_PARAM_SPEC_DOUBLE(spec)) {
    out << G_PARAM_SPEC_DOUBLE(spec)->minimum << ".." << G_PARAM_SPEC_DOUBLE(spec)->maximum;
  } else if (G_IS_PARAM_SPEC_ENUM(spec)) {
    const GEnumClass* klass = G_PARAM_SPEC_ENUM(spec)->enum_class;
    for (guint i = 0; i < klass->n_values; ++i)
      out << (i ? " " : "") << klass->values[i].value_nick;
  } else if (G_IS_PARAM_SPEC_FLAGS(spec)) {
    const GFlagsClass* klass = G_PARAM_SPEC_FLAGS(spec)->flags_class;
    for (guint i = 0; i < klass->n_values; ++i)
      out << (i ? " " : "") << klass->values[i].value_nick;
  }
  return out.str();
}

std::string text_of(const GValue* value) {
  if (G_VALUE_HOLDS_DOUBLE(value)) {
    std::ostringstream out;
    out << g_value_get_double(value);
    return out.str();
  }
  if (G_VALUE_HOLDS_ENUM(value)) {
    const auto* klass = static_cast<GEnumClass*>(g_type_class_peek(G_VALUE_TYPE(value)));
    return g_enum_get_value(const_cast<GEnumClass*>(klass), g_value_get_enum(value))->value_nick;
  }
  if (G_VALUE_HOLDS_FLAGS(value)) return std::to_string(g_value_get_flags(value));
  gchar* text = g_strdup_value_contents(value);
  const std::string copy = text;
  g_free(text);
  return copy;
}

ElementPtr make_element() {
  return ElementPtr(
      GST_ELEMENT(gst_object_ref_sink(gst_element_factory_make("mosaictemporal", nullptr))));
}

TEST(Properties, HaveTheDocumentedNamesTypesRangesAndDefaults) {
  const ElementPtr element = make_element();
  std::map<std::string, GParamSpec*> found;
  guint count = 0;
  GParamSpec** specs = g_object_class_list_properties(G_OBJECT_GET_CLASS(element.get()), &count);
  for (guint i = 0; i < count; ++i)
    if (!g_type_is_a(GST_TYPE_BASE_TRANSFORM, specs[i]->owner_type))
      found[specs[i]->name] = specs[i];
  g_free(specs);
  EXPECT_EQ(found.size(), kProperties.size());
  for (const auto& [name, expected] : kProperties) {
    SCOPED_TRACE(name);
    ASSERT_EQ(found.count(name), 1U);
    GParamSpec* spec = found[name];
    EXPECT_STREQ(g_type_name(spec->value_type), expected.type);
    EXPECT_EQ(range_of(spec), expected.range);
    const int mutability = GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_READY |
                           GST_PARAM_MUTABLE_PAUSED | GST_PARAM_MUTABLE_PLAYING;
    EXPECT_EQ(spec->flags & mutability, expected.flags);
    EXPECT_TRUE(spec->flags & G_PARAM_READABLE);
    EXPECT_EQ((spec->flags & G_PARAM_WRITABLE) != 0,
              name != "stats" && name != "active-codec" && name != "photos");
    EXPECT_GT(std::string(g_param_spec_get_blurb(spec)).size(), 30U);
    if (name == "stats") continue;
    EXPECT_EQ(text_of(g_param_spec_get_default_value(spec)), expected.initial);
    GValue value = G_VALUE_INIT;
    g_object_get_property(G_OBJECT(element.get()), name.c_str(), &value);
    EXPECT_EQ(text_of(&value), expected.initial) << "value of a new element";
    g_value_unset(&value);
  }
}

TEST(Properties, ReturnTheValuesThatWereSet) {
  const ElementPtr element = make_element();
  g_object_set(element.get(), "tile-location", "/photos", "size", "40x30", "max-tile-uses", 3U,
               "augment", FALSE, "color-variants", 5U, "cache-location", "", "dedup-radius", 7U,
               "beta", 0.75, "coherence", 1, "flow", 1, "scene-threshold", 12.5, "lookahead", 7U,
               "max-solve-time", 10 * GST_MSECOND, "temporal-blend", 5U, "n-threads", 3U, "silent",
               FALSE, "device", 1, "cuda-device-id", 2, "require-hardware", TRUE, "ema-alpha", 0.5,
               "flow-size", "64x36", "solver", 2, "pipeline", 1, "ssim-impl", "skimage",
               "swap-impl", "numba", "assemble-impl", "gpu", "postprocess-impl", "cpu",
               "keep-intermediate", TRUE, "intermediate-location", "/pictures", "png-compression",
               7, nullptr);
  const std::map<std::string, std::string> values = {{"tile-location", "\"/photos\""},
                                                     {"size", "\"40x30\""},
                                                     {"max-tile-uses", "3"},
                                                     {"augment", "FALSE"},
                                                     {"color-variants", "5"},
                                                     {"cache-location", "\"\""},
                                                     {"dedup-radius", "7"},
                                                     {"beta", "0.75"},
                                                     {"coherence", "none"},
                                                     {"flow", "block"},
                                                     {"scene-threshold", "12.5"},
                                                     {"lookahead", "7"},
                                                     {"max-solve-time", "10000000"},
                                                     {"temporal-blend", "5"},
                                                     {"n-threads", "3"},
                                                     {"silent", "FALSE"},
                                                     {"device", "cpu"},
                                                     {"cuda-device-id", "2"},
                                                     {"require-hardware", "TRUE"},
                                                     {"ema-alpha", "0.5"},
                                                     {"flow-size", "\"64x36\""},
                                                     {"solver", "auction"},
                                                     {"pipeline", "sequential"},
                                                     {"ssim-impl", "\"skimage\""},
                                                     {"swap-impl", "\"numba\""},
                                                     {"assemble-impl", "\"gpu\""},
                                                     {"postprocess-impl", "\"cpu\""},
                                                     {"keep-intermediate", "TRUE"},
                                                     {"intermediate-location", "\"/pictures\""},
                                                     {"png-compression", "7"}};
  for (const auto& [name, text] : values) {
    GValue value = G_VALUE_INIT;
    g_object_get_property(G_OBJECT(element.get()), name.c_str(), &value);
    EXPECT_EQ(text_of(&value), text) << name;
    g_value_unset(&value);
  }
  g_object_set(element.get(), "tile-location", nullptr, "size", nullptr, "cache-location", nullptr,
               nullptr);
  gchar *location = nullptr, *size = nullptr, *cache = nullptr;
  g_object_get(element.get(), "tile-location", &location, "size", &size, "cache-location", &cache,
               nullptr);
  EXPECT_EQ(location, nullptr);
  EXPECT_STREQ(size, "700");
  EXPECT_EQ(cache, nullptr);
  g_free(size);
}

TEST(Properties, TileSizeIsZeroOrAtLeastEight) {
  const ElementPtr element = make_element();
  for (const auto& [set, get] :
       std::map<guint, guint>{{0, 0}, {1, 8}, {7, 8}, {8, 8}, {256, 256}}) {
    guint value = 1000;
    g_object_set(element.get(), "tile-size", set, nullptr);
    g_object_get(element.get(), "tile-size", &value, nullptr);
    EXPECT_EQ(value, get) << set;
  }
}

// A control binding without gstreamer-controller: sets beta to a tenth of the stream time in
// seconds.
struct TestBinding {
  GstControlBinding parent;
};
struct TestBindingClass {
  GstControlBindingClass parent;
};
G_DEFINE_TYPE(TestBinding, test_binding, GST_TYPE_CONTROL_BINDING)
void test_binding_init(TestBinding*) {}
void test_binding_class_init(TestBindingClass* klass) {
  klass->parent.sync_values = [](GstControlBinding*, GstObject* object, GstClockTime time,
                                 GstClockTime) -> gboolean {
    g_object_set(object, "beta", static_cast<double>(time) / (10 * GST_SECOND), nullptr);
    return TRUE;
  };
}

TEST(Properties, FollowAControllerInStreamTime) {
  Element element;
  auto* binding = static_cast<GstControlBinding*>(
      g_object_new(test_binding_get_type(), "object", element.get(), "name", "beta", nullptr));
  ASSERT_TRUE(gst_object_add_control_binding(GST_OBJECT(element.get()), binding));
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  for (const int frame : {0, 25, 50}) {
    ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48), frame)));
    double beta = -1;
    g_object_get(element.get(), "beta", &beta, nullptr);
    EXPECT_DOUBLE_EQ(beta, frame / 250.0);
  }
}

TEST(Factory, HasItsMetadata) {
  GstElementFactory* factory = gst_element_factory_find("mosaictemporal");
  ASSERT_TRUE(factory);
  EXPECT_STREQ(gst_element_factory_get_metadata(factory, GST_ELEMENT_METADATA_KLASS),
               "Filter/Effect/Video");
  EXPECT_EQ(gst_element_factory_get_num_pad_templates(factory), 2U);
  gst_object_unref(factory);
  GstPlugin* plugin = gst_registry_find_plugin(gst_registry_get(), "mosaictemporal");
  ASSERT_TRUE(plugin);
  EXPECT_STREQ(gst_plugin_get_license(plugin), "LGPL");
  gst_object_unref(plugin);
}

TEST(Factory, TemplatesListEveryFormatAndSize) {
  const ElementPtr element = make_element();
  for (const char* name : {"sink", "src"}) {
    GstPad* pad = gst_element_get_static_pad(element.get(), name);
    const Caps caps(gst_pad_get_pad_template_caps(pad));
    gst_object_unref(pad);
    for (const auto& family : format_families())
      for (const auto& format : family)
        for (const int side : {1, 16384})
          EXPECT_TRUE(gst_caps_is_subset(video_caps(format, side, side).get(), caps.get()))
              << format;
    EXPECT_FALSE(gst_caps_is_subset(video_caps("I420", 16385, 16).get(), caps.get()));
    for (const auto& format : deep_formats())
      EXPECT_TRUE(gst_caps_is_subset(video_caps(format, 16, 16).get(), caps.get())) << format;
    EXPECT_FALSE(gst_caps_is_subset(video_caps("I420_10BE", 16, 16).get(), caps.get()));
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// gst-inspect-1.0 is built without the sanitizer, so it cannot load a plugin that is built with it.
TEST(Inspect, ShowsEveryProperty) {
  gchar* out = nullptr;
  gint status = -1;
  const char* argv[] = {"gst-inspect-1.0", "mosaictemporal", nullptr};
  ASSERT_TRUE(g_spawn_sync(nullptr, const_cast<gchar**>(argv), nullptr, G_SPAWN_SEARCH_PATH,
                           nullptr, nullptr, &out, nullptr, &status, nullptr));
  const std::string text = out;
  g_free(out);
  EXPECT_EQ(status, 0);
  for (const auto& [name, expected] : kProperties)
    EXPECT_NE(text.find("\n  " + name + (name.size() < 20 ? " " : ":")), std::string::npos)
        << name << " is missing in\n"
        << text;
}
#endif

}  // namespace
