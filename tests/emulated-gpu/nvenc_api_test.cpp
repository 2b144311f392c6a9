// SPDX-License-Identifier: LGPL-2.1-or-later
// The emulated encoder itself, called as NVIDIA's is.
#include "tests/emulated-gpu/driver_functions.h"
#include "tests/emulated-gpu/libnvidia-encode/api.h"
#include "tests/emulated-gpu/libnvidia-encode/control.h"

// The older presets, which GStreamer 1.22 uses.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace emulated_gpu {
namespace {

constexpr std::uint32_t kWidth = 160, kHeight = 64, kPitch = 512;
constexpr std::size_t kBytes = kPitch * kHeight * 3 / 2;  // NV12

template <class Signature>
Signature* encoder_symbol(const char* name) {
  return symbol<Signature>(name, "libnvidia-encode.so.1");
}

/// A session with one registered picture.
class NvencApi : public Gpu {
 protected:
  void open_session(bool deferred = false) {
    if (deferred) {
      ASSERT_EQ(ctx_destroy(context_), kSuccess);
      open(true);
    }
    api_.version = NV_ENCODE_API_FUNCTION_LIST_VER;
    const auto create =
        encoder_symbol<NVENCSTATUS(NV_ENCODE_API_FUNCTION_LIST*)>("NvEncodeAPICreateInstance");
    ASSERT_EQ(create(&api_), NV_ENC_SUCCESS);
    NV_ENC_OPEN_ENCODE_SESSION_EX_PARAMS params{};
    params.version = NV_ENC_OPEN_ENCODE_SESSION_EX_PARAMS_VER;
    params.apiVersion = NVENCAPI_VERSION;
    params.deviceType = NV_ENC_DEVICE_TYPE_CUDA;
    params.device = context_;
    ASSERT_EQ(api_.nvEncOpenEncodeSessionEx(&params, &session_), NV_ENC_SUCCESS);
  }

  void SetUp() override {
    Gpu::SetUp();
    open_session();
  }

  void TearDown() override {
    close_session();
    Gpu::TearDown();
    EXPECT_EQ(encoder_counts().sessions, 0u);
  }

  void close_session() {
    if (session_) {
      EXPECT_EQ(api_.nvEncDestroyEncoder(session_), NV_ENC_SUCCESS);
    }
    session_ = nullptr;
    if (picture_) {
      EXPECT_EQ(mem_free(picture_), kSuccess);
    }
    picture_ = 0;
  }

  static EmulatedNvencCounts encoder_counts() {
    EmulatedNvencCounts now;
    encoder_symbol<decltype(emulated_nvenc_counts)>("emulated_nvenc_counts")(&now);
    return now;
  }

  /// Settings of a lossless stream, or of one with B-frames.
  void prepare(int interval = 1, std::uint32_t gop = 30, std::uint32_t lookahead = 0) {
    const GUID preset = interval > 1 ? NV_ENC_PRESET_HP_GUID : NV_ENC_PRESET_LOSSLESS_HP_GUID;
    preset_.version = NV_ENC_PRESET_CONFIG_VER;
    preset_.presetCfg.version = NV_ENC_CONFIG_VER;
    ASSERT_EQ(api_.nvEncGetEncodePresetConfig(session_, NV_ENC_CODEC_H264_GUID, preset, &preset_),
              NV_ENC_SUCCESS);
    NV_ENC_CONFIG& config = preset_.presetCfg;
    config.gopLength = gop;
    config.frameIntervalP = interval;
    config.rcParams.enableLookahead = lookahead > 0;
    config.rcParams.lookaheadDepth = static_cast<std::uint16_t>(lookahead);
    init_ = {};
    init_.version = NV_ENC_INITIALIZE_PARAMS_VER;
    init_.encodeGUID = NV_ENC_CODEC_H264_GUID;
    init_.presetGUID = preset;
    init_.encodeWidth = kWidth;
    init_.encodeHeight = kHeight;
    init_.frameRateNum = 25;
    init_.frameRateDen = 1;
    init_.enablePTD = 1;
    init_.encodeConfig = &config;
  }

  void initialise(int interval = 1, std::uint32_t gop = 30, std::uint32_t lookahead = 0) {
    prepare(interval, gop, lookahead);
    ASSERT_EQ(api_.nvEncInitializeEncoder(session_, &init_), NV_ENC_SUCCESS);
    picture_ = allocate(kBytes);
    ASSERT_EQ(memset_d8(picture_, 128, kBytes), kSuccess);
    ASSERT_EQ(ctx_synchronize(), kSuccess);
    NV_ENC_REGISTER_RESOURCE resource{};
    resource.version = NV_ENC_REGISTER_RESOURCE_VER;
    resource.resourceType = NV_ENC_INPUT_RESOURCE_TYPE_CUDADEVICEPTR;
    resource.width = kWidth;
    resource.height = kHeight;
    resource.pitch = kPitch;
    resource.bufferFormat = NV_ENC_BUFFER_FORMAT_NV12;
    resource.resourceToRegister = reinterpret_cast<void*>(picture_);
    ASSERT_EQ(api_.nvEncRegisterResource(session_, &resource), NV_ENC_SUCCESS);
    resource_ = resource.registeredResource;
    NV_ENC_MAP_INPUT_RESOURCE map{};
    map.version = NV_ENC_MAP_INPUT_RESOURCE_VER;
    map.registeredResource = resource_;
    ASSERT_EQ(api_.nvEncMapInputResource(session_, &map), NV_ENC_SUCCESS);
    EXPECT_EQ(map.mappedBufferFmt, NV_ENC_BUFFER_FORMAT_NV12);
    input_ = map.mappedResource;
  }

  void* output() {
    NV_ENC_CREATE_BITSTREAM_BUFFER buffer{};
    buffer.version = NV_ENC_CREATE_BITSTREAM_BUFFER_VER;
    EXPECT_EQ(api_.nvEncCreateBitstreamBuffer(session_, &buffer), NV_ENC_SUCCESS);
    return buffer.bitstreamBuffer;
  }

  NVENCSTATUS encode(void* output, std::uint64_t time, std::uint32_t flags = 0) {
    NV_ENC_PIC_PARAMS picture{};
    picture.version = NV_ENC_PIC_PARAMS_VER;
    picture.inputBuffer = input_;
    picture.outputBitstream = output;
    picture.pictureStruct = NV_ENC_PIC_STRUCT_FRAME;
    picture.encodePicFlags = flags;
    picture.inputTimeStamp = time;
    picture.inputDuration = 7;
    return api_.nvEncEncodePicture(session_, &picture);
  }

  NVENCSTATUS end_stream() {
    NV_ENC_PIC_PARAMS picture{};
    picture.version = NV_ENC_PIC_PARAMS_VER;
    picture.encodePicFlags = NV_ENC_PIC_FLAG_EOS;
    return api_.nvEncEncodePicture(session_, &picture);
  }

  NVENCSTATUS lock(void* output, bool wait = true) {
    locked_ = {};
    locked_.version = NV_ENC_LOCK_BITSTREAM_VER;
    locked_.outputBitstream = output;
    locked_.doNotWait = !wait;
    return api_.nvEncLockBitstream(session_, &locked_);
  }

  /// Locks an output, copies and unlocks it.
  std::string take(void* output) {
    if (lock(output) != NV_ENC_SUCCESS) return {};
    const std::string bytes(static_cast<const char*>(locked_.bitstreamBufferPtr),
                            locked_.bitstreamSizeInBytes);
    EXPECT_EQ(api_.nvEncUnlockBitstream(session_, output), NV_ENC_SUCCESS);
    return bytes;
  }

  NV_ENCODE_API_FUNCTION_LIST api_{};
  void* session_ = nullptr;
  NV_ENC_PRESET_CONFIG preset_{};
  NV_ENC_INITIALIZE_PARAMS init_{};
  DevicePointer picture_ = 0;
  void *resource_ = nullptr, *input_ = nullptr;
  NV_ENC_LOCK_BITSTREAM locked_{};  ///< of the last lock()
};

TEST_F(NvencApi, EncodesWhatWasSubmitted) {
  initialise();
  void* const one = output();
  ASSERT_EQ(encode(one, 40), NV_ENC_SUCCESS);
  const std::string first = take(one);
  EXPECT_EQ(first.substr(0, 4), std::string("\0\0\0\1", 4));
  EXPECT_EQ(locked_.pictureType, NV_ENC_PIC_TYPE_IDR);
  EXPECT_EQ(locked_.outputTimeStamp, 40u);
  EXPECT_EQ(locked_.outputDuration, 7u);
  ASSERT_EQ(encode(one, 80), NV_ENC_SUCCESS);
  take(one);
  EXPECT_EQ(locked_.pictureType, NV_ENC_PIC_TYPE_P);
  ASSERT_EQ(encode(one, 120, NV_ENC_PIC_FLAG_FORCEIDR), NV_ENC_SUCCESS);
  take(one);
  EXPECT_EQ(locked_.pictureType, NV_ENC_PIC_TYPE_IDR);
  EXPECT_EQ(end_stream(), NV_ENC_SUCCESS);
  ASSERT_EQ(encode(one, 160), NV_ENC_SUCCESS);
  EXPECT_EQ(take(one), first);
}

TEST_F(NvencApi, HoldsPicturesForBFrames) {
  initialise(3);
  std::vector<void*> outputs;
  const NVENCSTATUS expected[] = {NV_ENC_SUCCESS, NV_ENC_ERR_NEED_MORE_INPUT,
                                  NV_ENC_ERR_NEED_MORE_INPUT, NV_ENC_SUCCESS,
                                  NV_ENC_ERR_NEED_MORE_INPUT};
  for (std::uint64_t i = 0; i < std::size(expected); ++i) {
    outputs.push_back(output());
    EXPECT_EQ(encode(outputs.back(), i), expected[i]) << i;
  }
  EXPECT_EQ(lock(outputs[4]), NV_ENC_ERR_INVALID_PARAM);
  EXPECT_EQ(lock(outputs[3], false), NV_ENC_ERR_LOCK_BUSY);
  EXPECT_EQ(end_stream(), NV_ENC_SUCCESS);
  std::vector<std::uint64_t> times;
  std::vector<NV_ENC_PIC_TYPE> types;
  for (void* each : outputs) {
    EXPECT_NE(take(each), "");
    times.push_back(locked_.outputTimeStamp);
    types.push_back(locked_.pictureType);
  }
  EXPECT_EQ(times, (std::vector<std::uint64_t>{0, 3, 1, 2, 4}));
  EXPECT_EQ(types,
            (std::vector<NV_ENC_PIC_TYPE>{NV_ENC_PIC_TYPE_IDR, NV_ENC_PIC_TYPE_P, NV_ENC_PIC_TYPE_B,
                                          NV_ENC_PIC_TYPE_B, NV_ENC_PIC_TYPE_P}));
}

TEST_F(NvencApi, HoldsPicturesForLookahead) {
  initialise(1, 30, 2);
  std::vector<void*> outputs;
  for (std::uint64_t i = 0; i < 4; ++i) {
    outputs.push_back(output());
    EXPECT_EQ(encode(outputs.back(), i), i < 2 ? NV_ENC_ERR_NEED_MORE_INPUT : NV_ENC_SUCCESS);
  }
  EXPECT_NE(take(outputs[1]), "");
  EXPECT_EQ(lock(outputs[2]), NV_ENC_ERR_INVALID_PARAM);
  EXPECT_EQ(end_stream(), NV_ENC_SUCCESS);
  EXPECT_NE(take(outputs[2]), "");
}

/// In deferred mode.
class NvencStreams : public NvencApi {
 protected:
  void SetUp() override {
    Gpu::SetUp();
    open_session(true);
    initialise();
  }

  /// The first picture after a fill that was submitted to a stream, encoded in a new stream.
  std::string encode_after_fill(Handle stream, std::uint8_t value, bool wait) {
    EXPECT_EQ(memset_d8_async(picture_, value, kBytes, stream), kSuccess);
    if (wait) {
      EXPECT_EQ(stream_synchronize(stream), kSuccess);
    }
    void* const one = output();
    EXPECT_EQ(encode(one, 0, NV_ENC_PIC_FLAG_FORCEIDR), NV_ENC_SUCCESS);
    const std::string bytes = take(one);
    EXPECT_EQ(api_.nvEncDestroyBitstreamBuffer(session_, one), NV_ENC_SUCCESS);
    EXPECT_EQ(ctx_synchronize(), kSuccess);
    EXPECT_EQ(end_stream(), NV_ENC_SUCCESS);
    return bytes;
  }
};

TEST_F(NvencStreams, AMissingWaitGivesOtherPixels) {
  const Handle other = stream(kStreamNonBlocking);
  const std::string right = encode_after_fill(other, 200, true);
  EXPECT_EQ(encode_after_fill(other, 200, true), right);
  encode_after_fill(other, 30, true);
  EXPECT_NE(encode_after_fill(other, 200, false), right);
  EXPECT_EQ(stream_destroy(other), kSuccess);
}

TEST_F(NvencStreams, TheInputStreamIsWaitedFor) {
  Handle mine = stream(kStreamNonBlocking);
  const std::string right = encode_after_fill(mine, 200, true);
  encode_after_fill(mine, 30, true);
  EXPECT_EQ(encode_after_fill(nullptr, 200, false), right) << "stream 0 is the default";
  ASSERT_EQ(api_.nvEncSetIOCudaStreams(session_, &mine, &mine), NV_ENC_SUCCESS);
  encode_after_fill(mine, 30, true);
  EXPECT_EQ(encode_after_fill(mine, 200, false), right);
  close_session();
  EXPECT_EQ(stream_destroy(mine), kSuccess);
}

TEST_F(NvencApi, RefusesWhatIsNotEmulated) {
  std::uint32_t count = 0;
  EXPECT_EQ(api_.nvEncGetEncodeProfileGUIDCount(session_, NV_ENC_CODEC_HEVC_GUID, &count),
            NV_ENC_ERR_UNSUPPORTED_PARAM);
  EXPECT_EQ(api_.nvEncRegisterAsyncEvent(session_, nullptr), NV_ENC_ERR_UNIMPLEMENTED);
  prepare();
  init_.enableEncodeAsync = 1;
  EXPECT_EQ(api_.nvEncInitializeEncoder(session_, &init_), NV_ENC_ERR_UNSUPPORTED_PARAM);
  prepare();
  init_.encodeWidth = kWidth + 1;
  EXPECT_EQ(api_.nvEncInitializeEncoder(session_, &init_), NV_ENC_ERR_INVALID_PARAM);
  EXPECT_STREQ(api_.nvEncGetLastErrorString(session_), "the size is odd");
  prepare();
  init_.version = 0;
  EXPECT_EQ(api_.nvEncInitializeEncoder(session_, &init_), NV_ENC_ERR_INVALID_VERSION);
  EXPECT_EQ(end_stream(), NV_ENC_ERR_ENCODER_NOT_INITIALIZED);
  EXPECT_EQ(api_.nvEncUnmapInputResource(session_, nullptr), NV_ENC_ERR_RESOURCE_NOT_MAPPED);
  EXPECT_EQ(api_.nvEncDestroyEncoder(&count), NV_ENC_ERR_INVALID_ENCODERDEVICE);
}

TEST_F(NvencApi, ChangesSizeWithinTheLargest) {
  initialise();
  NV_ENC_RECONFIGURE_PARAMS change{};
  change.version = NV_ENC_RECONFIGURE_PARAMS_VER;
  change.reInitEncodeParams = init_;
  change.reInitEncodeParams.encodeHeight = kHeight + 2;
  EXPECT_EQ(api_.nvEncReconfigureEncoder(session_, &change), NV_ENC_ERR_INVALID_PARAM);
  change.reInitEncodeParams.encodeHeight = kHeight - 2;
  EXPECT_EQ(api_.nvEncReconfigureEncoder(session_, &change), NV_ENC_SUCCESS);
  void* const one = output();
  EXPECT_EQ(encode(one, 0), NV_ENC_SUCCESS);
  EXPECT_NE(take(one), "");
}

TEST_F(NvencApi, TheNthCallFailsOnce) {
  initialise();
  void *const one = output(), *const two = output();
  fault("NvEncEncodePicture", 2, NV_ENC_ERR_OUT_OF_MEMORY, EMULATED_GPU_ONCE);
  EXPECT_EQ(encode(one, 0), NV_ENC_SUCCESS);
  EXPECT_EQ(encode(two, 1), NV_ENC_ERR_OUT_OF_MEMORY);
  EXPECT_STREQ(struck(), "NvEncEncodePicture");
  EXPECT_EQ(encode(two, 1), NV_ENC_SUCCESS);
}

TEST_F(NvencApi, FailingReleasesStillRelease) {
  initialise();
  fault("NvEncUnmapInputResource", 1, NV_ENC_ERR_GENERIC, EMULATED_GPU_ONCE);
  EXPECT_EQ(api_.nvEncUnmapInputResource(session_, input_), NV_ENC_ERR_GENERIC);
  EXPECT_EQ(encoder_counts().inputs, 0u);
  fault("NvEncDestroyEncoder", 1, NV_ENC_ERR_GENERIC, EMULATED_GPU_ONCE);
  const std::uint64_t abandoned = encoder_counts().abandoned;
  EXPECT_EQ(api_.nvEncDestroyEncoder(session_), NV_ENC_ERR_GENERIC);
  session_ = nullptr;
  EXPECT_EQ(encoder_counts().sessions, 0u);
  EXPECT_EQ(encoder_counts().abandoned, abandoned + 1) << "the registered resource";
}

}  // namespace
}  // namespace emulated_gpu
