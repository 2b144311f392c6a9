// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// A GPU that fails: the element posts one error that says what happened, and releases everything.
#include "tests/gst/cuda_frames.h"
#include "tests/sampling.h"

namespace {

using namespace element_test;

constexpr int kOutOfMemory = 2, kNoDevice = 100, kNoBinary = 209, kIllegalAddress = 700;
GstVideoInfo info_of_frames() {
  return video_info("NV12", 64, 48);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// An element, and frames in a CUDA context that is given to it.
class Faults : public testing::Test {
 protected:
  void TearDown() override { emulated_gpu_clear_faults(); }

  /// Negotiates frames in CUDA memory, or in system memory for device=cuda.
  bool start(bool staged = false) {
    staged_ = staged;
    if (staged) use_device("cuda");
    cuda.give_to(element.get());
    return element.set_caps(staged ? video_caps("NV12", 64, 48) : cuda_caps("NV12", 64, 48));
  }
  void use_device(const char* device) {
    gst_util_set_object_arg(G_OBJECT(element.get()), "device", device);
  }

  Buffer frame() {
    Buffer buffer = make_frame(info_of_frames());
    return staged_ ? std::move(buffer) : cuda.upload(info_of_frames(), buffer);
  }

  /// Pushes a frame; the n-th call of a function in `names` that this causes fails.
  GstFlowReturn push_with(const char* names, std::uint64_t n, int error,
                          EmulatedGpuFault when = EMULATED_GPU_ONCE) {
    Buffer next = frame();
    emulated_gpu_fault(names, n, error, when);
    return element.push(std::move(next));
  }

  void expect_gpu_error() {
    const Element::Report report = element.pop_report(GST_MESSAGE_ERROR);
    EXPECT_EQ(report.domain, GST_RESOURCE_ERROR) << report.text;
    EXPECT_EQ(report.code, GST_RESOURCE_ERROR_FAILED) << report.text;
    EXPECT_TRUE(contains(report.text, "GPU") && contains(report.text, "device to cpu"))
        << report.text;
    EXPECT_EQ(element.pop_report(GST_MESSAGE_ERROR).text, "") << "a second error";
    EXPECT_EQ(gst_element_set_state(element.get(), GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
  }

  std::string device_in_use() {
    const Structure stats = element.stats();
    return gst_structure_get_string(stats.get(), "device");
  }

  Cuda cuda;
  Element element;

 private:
  bool staged_ = false;
};

class FaultsOfFrames : public Faults, public testing::WithParamInterface<bool> {};

TEST_P(FaultsOfFrames, FailedLaunchIsAnError) {
  ASSERT_TRUE(start(GetParam()));
  ASSERT_TRUE(element.process(frame()));
  EXPECT_EQ(push_with("cuLaunchKernel", 3, kIllegalAddress), GST_FLOW_ERROR);
  expect_gpu_error();
}
INSTANTIATE_TEST_SUITE_P(All, FaultsOfFrames, testing::Bool(), [](const auto& info) {
  return info.param ? "InSystemMemory" : "InCudaMemory";
});

TEST_F(Faults, FailedAllocationIsAnError) {
  ASSERT_TRUE(start());
  EXPECT_EQ(push_with("cuMemAlloc", 2, kOutOfMemory), GST_FLOW_ERROR);
  expect_gpu_error();
}

TEST_F(Faults, FailedAllocationForASharedBufferIsAnError) {
  ASSERT_TRUE(start());
  const Buffer kept = frame();
  emulated_gpu_fault("alloc", 1, kOutOfMemory, EMULATED_GPU_ONCE);
  EXPECT_EQ(element.push(Buffer(gst_buffer_ref(kept.get()))), GST_FLOW_ERROR);
  expect_gpu_error();
}

TEST_F(Faults, FailedAllocationForAnotherSizeIsAnError) {
  element.set_sink_caps("video/x-raw(memory:CUDAMemory),width=128,height=96");
  emulated_gpu_fault("alloc", 1, kOutOfMemory, EMULATED_GPU_ONCE);
  ASSERT_TRUE(start());
  EXPECT_EQ(element.push(frame()), GST_FLOW_ERROR);
  expect_gpu_error();
}

TEST_F(Faults, LostContextIsAnError) {
  ASSERT_TRUE(start());
  ASSERT_TRUE(element.process(frame()));
  EXPECT_EQ(push_with("cuLaunchKernel", 2, kIllegalAddress, EMULATED_GPU_LOST), GST_FLOW_ERROR);
  expect_gpu_error();
}

TEST_F(Faults, FailedCuInitMeansThatThereIsNoGpu) {
  use_device("cuda");
  emulated_gpu_fault("cuInit", 1, kNoDevice, EMULATED_GPU_ONCE);
  ASSERT_TRUE(element.set_caps(video_caps("NV12", 64, 48)));
  EXPECT_EQ(element.push(make_frame(info_of_frames())), GST_FLOW_ERROR);
  const Element::Report report = element.pop_report(GST_MESSAGE_ERROR);
  EXPECT_EQ(report.domain, GST_RESOURCE_ERROR);
  EXPECT_EQ(report.code, GST_RESOURCE_ERROR_NOT_FOUND);
  EXPECT_TRUE(contains(report.text, "no GPU can be used")) << report.text;
  EXPECT_TRUE(contains(report.text, "device to cpu")) << report.text;
  EXPECT_FALSE(element.pop(GST_MESSAGE_PROGRESS)) << "a pool was loaded";
}

TEST_F(Faults, MissingKernelsFallBackToTheCpu) {
  ASSERT_TRUE(start());
  EXPECT_EQ(push_with("cuModuleLoadData", 1, kNoBinary), GST_FLOW_OK);
  EXPECT_EQ(device_in_use(), "cpu");
  EXPECT_TRUE(contains(element.pop_report(GST_MESSAGE_WARNING).text, "CPU"));
}

TEST_F(Faults, MissingKernelsAreAnErrorIfCudaIsRequired) {
  use_device("cuda");
  ASSERT_TRUE(start());
  EXPECT_EQ(push_with("cuModuleLoadData", 1, kNoBinary), GST_FLOW_ERROR);
  expect_gpu_error();
}

struct OldDriver {
  const char* name;
  int image, ptx;  ///< the error codes for loading the image and the PTX; 0: success
  const char* word;
};
void PrintTo(const OldDriver& driver, std::ostream* out) {
  *out << driver.name;
}

class OldDrivers : public Faults, public testing::WithParamInterface<OldDriver> {
 protected:
  void arm() {
    const OldDriver& driver = GetParam();
    emulated_gpu_fault("cuModuleLoadData", 1, driver.image, EMULATED_GPU_ONCE);
    if (driver.ptx) emulated_gpu_fault("cuModuleLoadData", 2, driver.ptx, EMULATED_GPU_ONCE);
  }
};

TEST_P(OldDrivers, GetPtxAndElseFallBackToTheCpu) {
  const OldDriver& driver = GetParam();
  ASSERT_TRUE(start());
  Buffer next = frame();
  arm();
  EXPECT_EQ(element.push(std::move(next)), GST_FLOW_OK)
      << element.pop_report(GST_MESSAGE_ERROR).text;
  EXPECT_EQ(device_in_use(), driver.ptx ? "cpu" : "cuda");
  const std::string text = element.pop_report(GST_MESSAGE_WARNING).text;
  for (const char* part : {driver.word, "CUDA 1", driver.ptx ? "on the CPU" : "on the GPU"})
    EXPECT_TRUE(contains(text, part)) << text;
  EXPECT_EQ(element.pop_report(GST_MESSAGE_WARNING).text, "") << "a second warning";
}

TEST_P(OldDrivers, AreAnErrorIfCudaIsRequiredAndPtxFails) {
  use_device("cuda");
  ASSERT_TRUE(element.set_caps(video_caps("NV12", 64, 48)));
  arm();
  const GstFlowReturn flow = element.push(make_frame(info_of_frames()));
  if (GetParam().ptx) {
    EXPECT_EQ(flow, GST_FLOW_ERROR);
    expect_gpu_error();
  } else {
    EXPECT_EQ(flow, GST_FLOW_OK);
    EXPECT_EQ(device_in_use(), "cuda");
  }
}
INSTANTIATE_TEST_SUITE_P(
    All, OldDrivers,
    testing::Values(OldDriver{"InvalidImage", 200, 0, "INVALID_IMAGE"},
                    OldDriver{"InvalidPtx", 218, 0, "INVALID_PTX"},
                    OldDriver{"UnsupportedPtx", 222, 0, "UNSUPPORTED_PTX_VERSION"},
                    OldDriver{"NeitherImageNorPtx", 200, 218, "INVALID_PTX"},
                    OldDriver{"NoPtxCompiler", 222, 221, "JIT_COMPILER_NOT_FOUND"}));

// The driver is not too old; memory runs out.
TEST_F(Faults, FailedAllocationWhileLoadingKernelsIsAnError) {
  ASSERT_TRUE(start());
  EXPECT_EQ(push_with("cuModuleLoadData", 1, kOutOfMemory), GST_FLOW_ERROR);
  expect_gpu_error();
}

TEST_F(Faults, SystemMemoryWithCudaCapsIsAnError) {
  ASSERT_TRUE(start());
  EXPECT_EQ(element.push(make_frame(info_of_frames())), GST_FLOW_ERROR);
  EXPECT_TRUE(contains(element.pop_report(GST_MESSAGE_ERROR).text, "CUDA memory"));
}

TEST_F(Faults, RestartingClearsAnError) {
  ASSERT_TRUE(start());
  EXPECT_EQ(push_with("cuMemAlloc", 1, kOutOfMemory), GST_FLOW_ERROR);
  gst_element_set_state(element.get(), GST_STATE_NULL);
  gst_element_set_state(element.get(), GST_STATE_PLAYING);
  gst_harness_push_event(element.harness(), gst_event_new_stream_start("again"));
  ASSERT_TRUE(start());
  EXPECT_TRUE(element.process(frame()));
}

enum class Way { kInPlace, kHeld, kScaled, kStaged };

/// Pushes three frames, until one fails.
/// @return number of errors posted
int run_frames(Way way) {
  const bool staged = way == Way::kStaged;
  const GstVideoInfo info = info_of_frames();
  Cuda cuda(true);
  std::vector<Buffer> frames, held;
  for (int i = 0; i < 3; ++i) {
    Buffer frame = make_frame(info, i);
    frames.push_back(staged ? std::move(frame) : cuda.upload(info, frame));
    if (way == Way::kHeld) held.emplace_back(gst_buffer_ref(frames.back().get()));
  }
  Element element;
  element.set("tile-size", 16U);
  gst_util_set_object_arg(G_OBJECT(element.get()), "device", staged ? "cuda" : "auto");
  cuda.give_to(element.get());
  if (way == Way::kScaled)
    element.set_sink_caps("video/x-raw(memory:CUDAMemory),width=128,height=96");
  EXPECT_TRUE(element.set_caps(staged ? video_caps("NV12", 64, 48) : cuda_caps("NV12", 64, 48)));
  bool flows = true;
  for (Buffer& frame : frames) flows = flows && element.push(std::move(frame)) == GST_FLOW_OK;
  int errors = 0;
  while (element.pop(GST_MESSAGE_ERROR)) ++errors;
  EXPECT_EQ(errors, flows ? 0 : 1);
  EXPECT_EQ(gst_element_set_state(element.get(), GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
  return errors;
}

class EveryFault : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    emulated_gpu_only_from("libgstmosaictemporal");
    EXPECT_EQ(run_frames(GetParam()), 0) << "without a fault";  // creates what remains afterwards
    emulated_gpu_reset_calls();
    run_frames(GetParam());
  }
  void TearDown() override { emulated_gpu_only_from(nullptr); }

  int run_with(const char* names, std::uint64_t n, EmulatedGpuFault when) {
    emulated_gpu_fault(names, n, kIllegalAddress, when);
    const int errors = run_frames(GetParam());
    emulated_gpu_clear_faults();
    return errors;
  }
};

TEST_P(EveryFault, OfWorkPostsOneError) {
  constexpr char kWork[] =
      "cuLaunchKernel,cuMemcpyHtoDAsync,cuMemcpyDtoHAsync,cuMemsetD8Async,cuMemAlloc,"
      "cuMemAllocHost,cuMemAllocPitch,cuStreamCreate,cuStreamWaitEvent,cuEventCreate,"
      "cuEventRecord,cuModuleLoadData,cuModuleGetFunction";
  const std::uint64_t calls = emulated_gpu_calls(kWork);
  ASSERT_GT(calls, 50U);
  const auto before = held_by_driver();
  for (std::uint64_t n = 1; n <= calls;
       n += sampling::step(149, 3))  // fault_sweep_test tries each call
    EXPECT_EQ(run_with(kWork, n, EMULATED_GPU_ONCE), 1) << "call " << n;
  EXPECT_EQ(held_by_driver(), before);
}
INSTANTIATE_TEST_SUITE_P(Ways, EveryFault,
                         testing::Values(Way::kInPlace, Way::kHeld, Way::kScaled, Way::kStaged));

using EveryCall = EveryFault;

// Calls that release something, and the waits for that, may fail without an error message.
TEST_P(EveryCall, LeaksNothingIfItFails) {
  const std::uint64_t calls = emulated_gpu_calls(nullptr);
  const auto before = held_by_driver();
  for (std::uint64_t n = 1; n <= calls; n += sampling::step(181, 7))
    run_with(nullptr, n, EMULATED_GPU_ONCE);
  EXPECT_EQ(held_by_driver(), before);
}

TEST_P(EveryCall, PostsAtMostOneErrorIfItLosesTheContext) {
  const std::uint64_t calls = emulated_gpu_calls(nullptr);
  for (std::uint64_t n = 1; n <= calls; n += sampling::step(227, 13))
    for (const EmulatedGpuFault when : {EMULATED_GPU_LOST, EMULATED_GPU_LATE})
      run_with(nullptr, n, when);
}
INSTANTIATE_TEST_SUITE_P(Ways, EveryCall, testing::Values(Way::kInPlace, Way::kStaged));

}  // namespace
