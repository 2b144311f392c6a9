// SPDX-License-Identifier: LGPL-2.1-or-later
// For calls of the emulated decoder, and those of the driver within it, a run in which that call
// fails: the pipeline ends, with at most one error of our element, and can be stopped. A sample of
// the calls is tried, or all (see tests/sampling.h).
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "tests/emulated-gpu/decoded_clips.h"
#include "tests/emulated-gpu/driver_functions.h"
#include "tests/sampling.h"

namespace emulated_gpu {
namespace {

constexpr unsigned kSecondsPerRun = 60;
/// The functions that fail; null: all. Newer versions of GStreamer wait forever for a surface when
/// cuvidUnmapVideoFrame fails.
constexpr const char* kFunctions =
    GST_CHECK_VERSION(1, 24, 0)
        ? "cuvidCreateDecoder,cuvidDestroyDecoder,cuvidReconfigureDecoder,cuvidDecodePicture,"
          "cuvidMapVideoFrame,cuMemAllocPitch,cuMemFree,cuStreamCreate,cuStreamDestroy,"
          "cuStreamWaitEvent,cuEventCreate,cuEventDestroy,cuEventRecord,cuEventSynchronize,"
          "cuLaunchHostFunc,cuCtxGetCurrent"
        : nullptr;

/// The message that names the current run, printed if the run takes too long.
char what_runs[128];
void on_alarm(int) {
  const ssize_t written = write(STDERR_FILENO, what_runs, std::strlen(what_runs));
  _exit(written > 0 ? 124 : 125);
}

using Parameters = std::tuple<const char*, EmulatedGpuFault>;

class NvdecFaults : public testing::TestWithParam<Parameters> {
 protected:
  void SetUp() override {
    if (const std::string missing = missing_elements("h264"); !missing.empty())
      GTEST_SKIP() << missing;
    if (!has_element(decoder())) GTEST_SKIP() << "GStreamer has no " << decoder();
    abort_on_mistake(true);
    only_from("libnvcuvid");
    std::signal(SIGALRM, on_alarm);
  }
  void TearDown() override {
    alarm(0);
    clear_faults();
    only_from(nullptr);
  }

  static const char* decoder() { return std::get<0>(GetParam()); }
  static EmulatedGpuFault when() { return std::get<1>(GetParam()); }

  struct Outcome {
    std::vector<Picture> pictures;
    bool ended, stopped;
    int errors = 0, errors_elsewhere = 0;
    std::string text;
  };

  static Outcome run(const std::string& clip) {
    alarm(kSecondsPerRun);
    reset_calls();
    Player player(decode(clip, decoder()) +
                  " ! video/x-raw(memory:CUDAMemory) ! mosaictemporal name=mosaic size=24 "
                  "augment=false flow=block ! cudadownload ! video/x-raw");
    Outcome outcome;
    outcome.pictures = player.take();
    outcome.ended = player.ended;
    // GStreamer's element with a parser does not stop when its decoder's destruction fails.
    outcome.stopped = player.stop() || player.stop();
    for (const Error& error : player.errors) {
      ++(error.from == "mosaic" ? outcome.errors : outcome.errors_elsewhere);
      outcome.text += "\n  " + error.from + ": " + error.text;
    }
    return outcome;
  }

  static void strike(const std::string& clip, std::uint64_t n, const Outcome& healthy) {
    clear_faults();
    std::snprintf(what_runs, sizeof what_runs, "hangs: %s, call %lu\n", decoder(),
                  static_cast<unsigned long>(n));
    fault(kFunctions, n, kLaunchFailed, when());
    const Outcome outcome = run(clip);
    const std::string function = struck();
    SCOPED_TRACE("call " + std::to_string(n) + ", " + function + ", after " +
                 std::to_string(outcome.pictures.size()) + " pictures" + outcome.text);
    EXPECT_NE(function, "");
    EXPECT_TRUE(outcome.stopped);
    EXPECT_LE(outcome.errors, 1);
    EXPECT_TRUE(outcome.ended || outcome.errors + outcome.errors_elsewhere > 0);
    EXPECT_LE(outcome.pictures.size(), healthy.pictures.size());
  }
};

TEST_P(NvdecFaults, AreSurvived) {
  Clips clips;
  const std::string clip =
      clips.make({96, 64, 10, "bframes=2 b-adapt=false key-int-max=5 bitrate=200"});
  std::strcpy(what_runs, "hangs: a run without a fault\n");
  run(clip);  // loads plugins, which stay
  const Outcome healthy = run(clip);
  const std::uint64_t last = calls(kFunctions);
  ASSERT_TRUE(healthy.ended) << healthy.text;
  ASSERT_EQ(healthy.pictures.size(), 10u);
  ASSERT_GT(last, 100u);
  const std::uint64_t every = sampling::step(37);
  int runs = 0;
  for (std::uint64_t n = 1; n <= last && !HasFailure(); n += every, ++runs)
    strike(clip, n, healthy);
  clear_faults();
  expect_equal(healthy.pictures, run(clip).pictures);
  std::printf("%d of %lu calls failed\n", runs, static_cast<unsigned long>(last));
}

std::string name_of(const testing::TestParamInfo<Parameters>& info) {
  return std::string(std::get<0>(info.param)) +
         (std::get<1>(info.param) == EMULATED_GPU_ONCE ? "Once" : "Lost");
}
// GStreamer's element with a parser never stops when its context is lost.
INSTANTIATE_TEST_SUITE_P(, NvdecFaults,
                         testing::Values(Parameters{"nvh264dec", EMULATED_GPU_ONCE},
                                         Parameters{"nvh264sldec", EMULATED_GPU_ONCE},
                                         Parameters{"nvh264sldec", EMULATED_GPU_LOST}),
                         name_of);

}  // namespace
}  // namespace emulated_gpu
