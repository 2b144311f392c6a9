// SPDX-License-Identifier: LGPL-2.1-or-later
// For each driver call of the element, a run in which that call fails: the element posts one error,
// ends cleanly and releases everything. A sample of the calls is tried, or all (see
// tests/sampling.h).
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <set>

#include "tests/emulated-gpu/bin_harness.h"
#include "tests/emulated-gpu/driver_functions.h"
#include "tests/sampling.h"

namespace emulated_gpu {
namespace {

constexpr int kFrames = 10, kFlushAt = 4, kOtherSizeAt = 7;
constexpr unsigned kSecondsPerRun = 30;

struct Chain {
  const char *name, *description;
  bool others;           ///< whether other elements of the pipeline use the GPU, too
  int frames = kFrames;  ///< number of output frames
  /// Whether frames are pushed before they are finished, ordered by a stream (GStreamer 1.24 and
  /// later).
  bool streamed = false;
};
void PrintTo(const Chain& chain, std::ostream* out) {
  *out << chain.name;
}
constexpr Chain kChains[] = {
    {"CudaMemory",
     "cudaupload ! capsfilter caps=video/x-raw(memory:CUDAMemory) ! "
     "mosaictemporal name=mosaic size=24 augment=false ! cudadownload ! capsfilter "
     "caps=video/x-raw",
     true},
    // The element holds two frames when the flush comes, and at the end.
    {"CudaMemoryAhead",
     "cudaupload ! capsfilter caps=video/x-raw(memory:CUDAMemory) ! "
     "mosaictemporal name=mosaic size=24 augment=false lookahead=2 ! cudadownload ! capsfilter "
     "caps=video/x-raw",
     true, kFrames - 4, GST_CHECK_VERSION(1, 24, 0)},
    {"SystemMemory", "mosaictemporal name=mosaic size=24 augment=false device=cuda flow=block",
     false},
};

struct Kind {
  const char* name;
  EmulatedGpuFault when;
  bool deferred;
  const char* functions;  ///< the functions that fail; null: all
};
void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.name;
}
/// Functions whose work may fail after they have returned.
constexpr const char* kSubmit =
    "cuLaunchKernel,cuMemcpyHtoDAsync,cuMemcpyDtoHAsync,cuMemcpyAsync,cuMemcpy2DAsync,"
    "cuMemsetD8Async";
constexpr Kind kKinds[] = {
    {"Once", EMULATED_GPU_ONCE, true, nullptr},
    {"Lost", EMULATED_GPU_LOST, true, nullptr},
    {"Late", EMULATED_GPU_LATE, true, kSubmit},
    {"LateEager", EMULATED_GPU_LATE, false, kSubmit},
};

/// The message that names the current run, printed if the run takes too long.
char what_runs[128];
void on_alarm(int) {
  const ssize_t written = write(STDERR_FILENO, what_runs, std::strlen(what_runs));
  _exit(written > 0 ? 124 : 125);
}

/// Whether the failure of a function may go unreported as long as all frames are right: functions
/// that release something or are needed to do so, and those that GStreamer only calls for its log.
bool may_fail_unnoticed(const std::string& function) {
  static const std::set<std::string> functions = {
      "cuMemFree",       "cuMemFreeHost", "cuStreamDestroy",           "cuEventDestroy",
      "cuModuleUnload",  "cuCtxDestroy",  "cuDevicePrimaryCtxRelease", "cuCtxPushCurrent",
      "cuCtxPopCurrent", "cuCtxGetLimit", "cuStreamSynchronize"};
  return functions.count(function) > 0;
}

struct Outcome {
  int frames = 0;
  std::vector<unsigned char> bytes;  ///< of all frames
  GstFlowReturn flow = GST_FLOW_OK;
  bool stopped = false;
  int errors = 0, errors_elsewhere = 0;
  std::string text;                  ///< all errors posted
  std::uint64_t calls_of_streaming;  ///< the calls after these were made by stopping
};

Buffer make_frame(const GstVideoInfo& info, int number) {
  Buffer buffer(gst_buffer_new_allocate(nullptr, info.size, nullptr));
  GstMapInfo map;
  gst_buffer_map(buffer.get(), &map, GST_MAP_WRITE);
  for (gsize i = 0; i < map.size; ++i) map.data[i] = static_cast<guint8>(i * 7 + number * 23);
  gst_buffer_unmap(buffer.get(), &map);
  GST_BUFFER_PTS(buffer.get()) = number * 40 * GST_MSECOND;
  GST_BUFFER_DURATION(buffer.get()) = 40 * GST_MSECOND;
  return buffer;
}

class FaultSweep : public testing::TestWithParam<std::tuple<Chain, Kind>> {
 protected:
  void SetUp() override {
    abort_on_mistake(true);
    only_from("libgstmosaictemporal");
    std::signal(SIGALRM, on_alarm);
    ASSERT_TRUE(set_deferred(kind().deferred));
  }
  void TearDown() override {
    alarm(0);
    clear_faults();
    only_from(nullptr);
  }

  Chain chain() const { return std::get<0>(GetParam()); }
  Kind kind() const { return std::get<1>(GetParam()); }

  /// Pushes frames, with a flush and a change of size in between, until one is refused.
  static void stream(BinHarness& bin, Outcome& outcome) {
    GstVideoInfo info;
    for (int i = 0; i < kFrames && outcome.flow == GST_FLOW_OK; ++i) {
      if (i == 0 || i == kOtherSizeAt) {
        gst_video_info_set_format(&info, GST_VIDEO_FORMAT_NV12, i == 0 ? 64 : 50, 48);
        if (!bin.set_caps(info)) outcome.flow = GST_FLOW_NOT_NEGOTIATED;
      }
      if (i == kFlushAt) bin.flush();
      if (outcome.flow == GST_FLOW_OK) outcome.flow = bin.push(make_frame(info, i));
      while (const Buffer out = bin.take()) {
        const auto bytes = visible_bytes(bin.output_info(), out);
        outcome.bytes.insert(outcome.bytes.end(), bytes.begin(), bytes.end());
        ++outcome.frames;
      }
    }
  }

  Outcome run() {
    alarm(kSecondsPerRun);
    reset_calls();
    Outcome outcome;
    {
      BinHarness bin(chain().description);
      const Element element = bin.find("mosaic");
      if (bin.playing())
        stream(bin, outcome);
      else
        outcome.flow = GST_FLOW_ERROR;
      outcome.calls_of_streaming = calls(kind().functions);
      outcome.stopped = bin.stop();
      for (const Error& error : bin.errors()) {
        ++(error.from == "mosaic" ? outcome.errors : outcome.errors_elsewhere);
        outcome.text += "\n  " + error.from + ": " + error.text;
      }
    }
    return outcome;
  }

  /// Expects everything to be released.
  void expect_nothing_left(const EmulatedGpuCounts& before, const std::string& function = {}) {
    // Memory that cannot be freed without a context is freed with the context; and some code of
    // GStreamer pops contexts that it could not push.
    const bool no_push = function == "cuCtxPushCurrent";
    const EmulatedGpuCounts now = counts();
    EXPECT_EQ(now.contexts, before.contexts);
    EXPECT_EQ(now.device_blocks, before.device_blocks);
    EXPECT_EQ(now.pinned_blocks, before.pinned_blocks);
    EXPECT_EQ(now.streams, before.streams);
    EXPECT_EQ(now.events, before.events);
    EXPECT_EQ(now.modules, before.modules);
    EXPECT_EQ(now.pending, before.pending);
    if (!no_push) {
      EXPECT_EQ(now.abandoned, before.abandoned);
    }
    if (!no_push && !others_may_fail()) {
      EXPECT_EQ(stack_depth(), depth_);
    }
    depth_ = stack_depth();  // contexts that a run popped are missing in the next run
  }

  /// A run in which call `n` fails.
  void strike(std::uint64_t n, const Outcome& healthy) {
    const EmulatedGpuCounts before = counts();
    clear_faults();
    std::snprintf(what_runs, sizeof what_runs, "hangs: %s, %s, call %lu\n", chain().name,
                  kind().name, static_cast<unsigned long>(n));
    fault(kind().functions, n, kLaunchFailed, kind().when);
    const Outcome outcome = run();
    const std::string function = struck();
    SCOPED_TRACE("call " + std::to_string(n) + ", " + function + ", after " +
                 std::to_string(outcome.frames) + " frames" + outcome.text);
    EXPECT_NE(function, "");
    EXPECT_TRUE(outcome.stopped);
    expect_nothing_left(before, function);
    if (outcome.flow == GST_FLOW_OK) {
      EXPECT_EQ(outcome.errors + outcome.errors_elsewhere, 0);
      EXPECT_TRUE(outcome.bytes == healthy.bytes) << "wrong frames and no error";
      EXPECT_TRUE(kind().when == EMULATED_GPU_LATE || n > healthy.calls_of_streaming ||
                  may_fail_unnoticed(function));
    } else if (others_may_fail()) {
      EXPECT_LE(outcome.errors, 1);
      // cudadownload may meet an error that our element need not notice; it returns an error but
      // posts none.
      EXPECT_GE(outcome.errors + outcome.errors_elsewhere, may_fail_unnoticed(function) ? 0 : 1);
    } else {
      EXPECT_EQ(outcome.errors, 1);
      EXPECT_EQ(outcome.flow, GST_FLOW_ERROR);
    }
  }

  /// Whether GStreamer's own elements, which share the context, also meet the error, perhaps before
  /// our element, and then pop contexts that they could not push.
  bool others_may_fail() const { return kind().when != EMULATED_GPU_ONCE && chain().others; }

  std::size_t depth_ = 0;  ///< of this thread's context stack before each run

  /// The calls to let fail: one in `every`, and more of the first and last ones, which create and
  /// release objects.
  static bool in_sample(std::uint64_t n, std::uint64_t last, std::uint64_t every) {
    const std::uint64_t edge = 3000 / every;
    return n % every == 0 || n <= edge || n + edge / 2 > last;
  }
};

TEST_P(FaultSweep, SurvivesTheFailureOfEachCall) {
  if (chain().streamed && kind().when == EMULATED_GPU_LATE)
    GTEST_SKIP() << "cudadownload meets late failures first, and does not report them";
  std::strcpy(what_runs, "hangs: a run without a fault\n");
  run();  // loads plugins, which stay; so do nvcodec's contexts on the stack
  depth_ = stack_depth();
  const EmulatedGpuCounts before = counts();
  const Outcome healthy = run();
  const std::uint64_t last = calls(kind().functions);
  ASSERT_EQ(healthy.errors + healthy.errors_elsewhere, 0) << healthy.text;
  ASSERT_EQ(healthy.frames, chain().frames);
  expect_nothing_left(before);
  ASSERT_GT(last, 5u * kFrames);
  const std::uint64_t every = sampling::step(907);
  int runs = 0;
  for (std::uint64_t n = 1; n <= last && !HasFailure(); ++n) {
    if (!in_sample(n, last, every)) continue;
    strike(n, healthy);
    ++runs;
  }
  std::printf("%d of %lu calls failed\n", runs, static_cast<unsigned long>(last));
}

class DriverErrors : public FaultSweep {};

/// Errors that real drivers return to correct programs.
TEST_P(DriverErrors, AreReportedWithTheFunctionsName) {
  const struct {
    const char* function;
    Result error;
  } faults[] = {{"cuModuleLoadData", kOutOfMemory},
                {"cuModuleGetFunction", kNotFound},
                {"cuMemAlloc", kOutOfMemory},
                {"cuMemAllocHost", kOutOfMemory}};
  for (const auto& [function, error] : faults) {
    clear_faults();
    fault(function, 1, error, EMULATED_GPU_ONCE);
    const Outcome outcome = run();
    EXPECT_EQ(outcome.flow, GST_FLOW_ERROR) << function;
    EXPECT_EQ(outcome.frames, 0) << function;
    EXPECT_EQ(outcome.errors, 1) << outcome.text;
    EXPECT_NE(outcome.text.find(function), std::string::npos) << outcome.text;
  }
}

std::string name_of(const testing::TestParamInfo<FaultSweep::ParamType>& info) {
  return std::string(std::get<0>(info.param).name) + std::get<1>(info.param).name;
}
INSTANTIATE_TEST_SUITE_P(, FaultSweep,
                         testing::Combine(testing::ValuesIn(kChains), testing::ValuesIn(kKinds)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(, DriverErrors,
                         testing::Combine(testing::ValuesIn(kChains), testing::Values(kKinds[0])),
                         name_of);

}  // namespace
}  // namespace emulated_gpu
