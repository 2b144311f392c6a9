// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Runs whole pipelines under GStreamer's leaks tracer: no object may outlive its pipeline.
#include <map>

#include "tests/gst/harness.h"

namespace {

using namespace element_test;

// The tracer must be requested before gst_init.
const bool kTracing = g_setenv("GST_TRACERS", "leaks", TRUE);

using Counts = std::map<std::string, int>;

/// Counts by type the objects and mini objects that were created since the start of the tracking
/// and are still alive. (Getting the tracer's list of all live objects would disturb the
/// registry's.)
class LiveObjects {
 public:
  LiveObjects() : tracers_(gst_tracing_get_active_tracers()) {
    EXPECT_NE(tracers_, nullptr) << "no leaks tracer (coretracers plugin)";
    for (GList* t = tracers_; t; t = t->next) emit(t->data, "activity-start-tracking");
  }
  ~LiveObjects() {
    for (GList* t = tracers_; t; t = t->next) emit(t->data, "activity-stop-tracking");
    g_list_free_full(tracers_, gst_object_unref);
  }
  LiveObjects(const LiveObjects&) = delete;
  LiveObjects& operator=(const LiveObjects&) = delete;

  const Counts& now() {
    for (GList* t = tracers_; t; t = t->next) add_checkpoint(t->data, live_);
    return live_;
  }

  /// The types of which there are more objects than before. A thread that was joined may hold its
  /// task a moment longer, so this waits up to a second until there are none.
  Counts more_than(const Counts& before) {
    Counts more;
    for (int i = 0; i < 100; ++i) {
      more.clear();
      for (const auto& [type, count] : now()) {
        const auto it = before.find(type);
        const int old = it == before.end() ? 0 : it->second;
        if (count > old) more[type] = count - old;
      }
      if (more.empty()) break;
      g_usleep(10000);
    }
    return more;
  }

 private:
  static void emit(gpointer tracer, const char* signal) { g_signal_emit_by_name(tracer, signal); }

  // Counts what was created and destroyed since the previous checkpoint.
  static void add_checkpoint(gpointer tracer, Counts& live) {
    GstStructure* structure = nullptr;
    g_signal_emit_by_name(tracer, "activity-get-checkpoint", &structure);
    if (!structure) return;
    count(structure, "objects-created-list", 1, live);
    count(structure, "objects-removed-list", -1, live);
    gst_structure_free(structure);
  }

  static void count(const GstStructure* structure, const char* field, int step, Counts& live) {
    const GValue* list = gst_structure_get_value(structure, field);
    for (guint i = 0; list && i < gst_value_list_get_size(list); ++i)
      live[gst_structure_get_string(gst_value_get_structure(gst_value_list_get_value(list, i)),
                                    "type-name")] += step;
  }

  GList* tracers_;
  Counts live_;
};

void expect_no_leak(const std::string& pipeline) {
  const element_test::ElementPtr element(gst_element_factory_make("mosaictemporal", nullptr));
  ASSERT_TRUE(element) << "nothing leaks where there is nothing";
  LiveObjects objects;
  // The first run loads plugins and fills caches, which stay in memory.
  const std::string first = run_pipeline(pipeline);
  const Counts before = objects.now();
  EXPECT_EQ(run_pipeline(pipeline), first);
  EXPECT_EQ(objects.more_than(before), Counts{});
}

class Leaks : public testing::TestWithParam<const char*> {};

TEST_P(Leaks, NoObjectOutlivesThePipeline) {
  expect_no_leak(GetParam());
}

constexpr const char* kPipelines[] = {
    "videotestsrc num-buffers=5 ! video/x-raw,width=160,height=120 ! mosaictemporal ! fakesink",
    "videotestsrc num-buffers=5 ! video/x-raw,width=160,height=120 ! mosaictemporal silent=false ! "
    "video/x-raw,width=320,height=240 ! fakesink",
    "videotestsrc num-buffers=5 is-live=true ! video/x-raw,width=160,height=120 ! mosaictemporal ! "
    "fakesink",
    "videotestsrc num-buffers=5 ! tee name=t ! queue ! mosaictemporal ! fakesink  t. ! queue ! "
    "fakesink",
    "videotestsrc num-buffers=5 ! mosaictemporal tile-location=/no/such/folder ! fakesink",
    "videotestsrc num-buffers=5 ! mosaictemporal device=cuda ! fakesink",
};
INSTANTIATE_TEST_SUITE_P(Pipelines, Leaks, testing::ValuesIn(kPipelines));

TEST(VideoLeaks, NoObjectOutlivesAPoolFromAVideo) {
  SKIP_WITHOUT_VIDEO();
  const TempFolder folder;
  write_video(folder.path("tiles.avi"), 20);
  expect_no_leak(
      "videotestsrc num-buffers=5 ! video/x-raw,width=160,height=120 ! mosaictemporal "
      "cache-location=\"\" tile-location=\"" +
      folder.path("tiles.avi") + "\" ! fakesink");
}

TEST(LeaksTest, DetectsALeak) {
  EXPECT_TRUE(kTracing);
  LiveObjects objects;
  GstBuffer* leaked = gst_buffer_new();
  EXPECT_EQ(objects.more_than({}), (Counts{{"GstBuffer", 1}}));
  gst_buffer_unref(leaked);
}

}  // namespace
