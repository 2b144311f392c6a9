// SPDX-License-Identifier: LGPL-2.1-or-later
// For calls of NVIDIA's encoder by GStreamer's elements, a run of the element and an encoder in
// which that call fails: the pipeline ends, the element posts no error of its own, and everything
// is released. A sample of the calls is tried, or all (see tests/sampling.h).
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "tests/emulated-gpu/bin_harness.h"
#include "tests/emulated-gpu/nvenc_pipeline.h"
#include "tests/sampling.h"

namespace emulated_gpu {
namespace {

constexpr unsigned kSecondsPerRun = 60;
constexpr int kGeneric = 20;  // NV_ENC_ERR_GENERIC

// Left out are calls whose failure the elements of GStreamer 1.22 do not survive: they wait for
// ever (NvEncCreateBitstreamBuffer), make GLib end the process (NvEncOpenEncodeSessionEx,
// NvEncGetEncodeGUIDs, NvEncGetSequenceParams), do not stop (NvEncDestroyEncoder), leave buffers to
// the session (NvEncReconfigureEncoder), or leak frames (NvEncLockBitstream).
constexpr char kFunctions[] =
    "NvEncGetEncodePresetConfig,NvEncInitializeEncoder,NvEncRegisterResource,"
    "NvEncUnregisterResource,NvEncMapInputResource,NvEncUnmapInputResource,NvEncEncodePicture,"
    "NvEncUnlockBitstream,NvEncDestroyBitstreamBuffer,NvEncSetIOCudaStreams";
// Not nvh264enc: when one of its calls fails, its threads at times still use a frame that is gone,
// and the process ends.
constexpr char kEncoder[] = "nvcudah264enc";

/// The message that names the current run, printed if the run takes too long.
char what_runs[128];
void on_alarm(int) {
  const ssize_t written = write(STDERR_FILENO, what_runs, std::strlen(what_runs));
  _exit(written > 0 ? 124 : 125);
}

class EncoderFaults : public Encoder, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    start(GetParam());
    std::signal(SIGALRM, on_alarm);
  }
  void TearDown() override {
    alarm(0);
    Encoder::TearDown();
  }

  struct Outcome {
    bool ended = false, stopped = false;
    std::vector<std::string> errors;
  };

  /// Frames of two sizes, so that the encoder is reconfigured or opened again.
  static Outcome run() {
    alarm(kSecondsPerRun);
    reset_calls();
    Outcome outcome;
    Pipeline pipeline(
        std::string("appsrc name=in ! cudaupload ! capsfilter "
                    "caps=video/x-raw(memory:CUDAMemory) ! mosaictemporal name=mosaic size=24 "
                    "augment=false ! ") +
        kEncoder + " ! h264parse ! mp4mux ! fakesink sync=false");
    if (pipeline.play()) {
      for (int i = 0; i < 8; ++i)
        pipeline.push(video_info(GST_VIDEO_FORMAT_NV12, 160, i < 5 ? 96 : 80), i);
      pipeline.end_stream();
      outcome.ended = pipeline.wait_for_end();
    }
    outcome.stopped = pipeline.stop();
    outcome.errors = pipeline.errors();
    return outcome;
  }

  static void strike(std::uint64_t n) {
    const EmulatedGpuCounts before = counts();
    clear_faults();
    std::snprintf(what_runs, sizeof what_runs, "hangs: %s, call %lu\n", kEncoder,
                  static_cast<unsigned long>(n));
    fault(kFunctions, n, kGeneric, EMULATED_GPU_ONCE);
    const Outcome outcome = run();
    std::string trace = "call " + std::to_string(n) + ", " + struck();
    for (const std::string& error : outcome.errors) trace += "\n  " + error;
    SCOPED_TRACE(trace);
    EXPECT_STRNE(struck(), "");
    EXPECT_TRUE(outcome.stopped);
    EXPECT_TRUE(outcome.ended || !outcome.errors.empty()) << "neither an end nor an error";
    for (const std::string& error : outcome.errors) EXPECT_NE(error.find("mosaic: "), 0u);
    const EmulatedGpuCounts now = counts();
    EXPECT_EQ(now.contexts, before.contexts);
    EXPECT_EQ(now.device_blocks, before.device_blocks);
    EXPECT_EQ(now.streams, before.streams);
    EXPECT_EQ(now.events, before.events);
    EXPECT_EQ(now.pending, before.pending);
    EXPECT_EQ(encoder_counts().sessions, 0u);
  }
};

TEST_P(EncoderFaults, EndCleanly) {
  std::strcpy(what_runs, "hangs: a run without a fault\n");
  run();  // loads plugins, which then ask what the encoder can do
  const Outcome healthy = run();
  ASSERT_TRUE(healthy.ended) << healthy.errors.front();
  const std::uint64_t last = calls(kFunctions);
  ASSERT_GT(last, 40u);
  const std::uint64_t every = sampling::step(31);
  for (std::uint64_t n = every; n <= last; n += every) strike(n);
  std::printf("%lu calls\n", static_cast<unsigned long>(last));
}

INSTANTIATE_TEST_SUITE_P(, EncoderFaults, testing::Bool(), [](const auto& info) {
  return std::string(info.param ? "Deferred" : "Eager");
});

}  // namespace
}  // namespace emulated_gpu
