// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libnvidia-encode/capabilities.h"

// GStreamer 1.22 uses the older presets.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace emulated_nvenc {
namespace {

const GUID kCodecs[] = {NV_ENC_CODEC_H264_GUID};

const GUID kProfiles[] = {
    NV_ENC_CODEC_PROFILE_AUTOSELECT_GUID,
    NV_ENC_H264_PROFILE_BASELINE_GUID,
    NV_ENC_H264_PROFILE_MAIN_GUID,
    NV_ENC_H264_PROFILE_HIGH_GUID,
    NV_ENC_H264_PROFILE_PROGRESSIVE_HIGH_GUID,
    NV_ENC_H264_PROFILE_CONSTRAINED_HIGH_GUID,
    NV_ENC_H264_PROFILE_HIGH_444_GUID,
};

const GUID kPresets[] = {
    NV_ENC_PRESET_DEFAULT_GUID,
    NV_ENC_PRESET_HP_GUID,
    NV_ENC_PRESET_HQ_GUID,
    NV_ENC_PRESET_BD_GUID,
    NV_ENC_PRESET_LOW_LATENCY_DEFAULT_GUID,
    NV_ENC_PRESET_LOW_LATENCY_HQ_GUID,
    NV_ENC_PRESET_LOW_LATENCY_HP_GUID,
    NV_ENC_PRESET_LOSSLESS_DEFAULT_GUID,
    NV_ENC_PRESET_LOSSLESS_HP_GUID,
    NV_ENC_PRESET_P1_GUID,
    NV_ENC_PRESET_P2_GUID,
    NV_ENC_PRESET_P3_GUID,
    NV_ENC_PRESET_P4_GUID,
    NV_ENC_PRESET_P5_GUID,
    NV_ENC_PRESET_P6_GUID,
    NV_ENC_PRESET_P7_GUID,
};

// In this order GStreamer 1.22 assigns its own formats.
const NV_ENC_BUFFER_FORMAT kInputFormats[] = {
    NV_ENC_BUFFER_FORMAT_NV12, NV_ENC_BUFFER_FORMAT_YV12, NV_ENC_BUFFER_FORMAT_IYUV,
    NV_ENC_BUFFER_FORMAT_ARGB, NV_ENC_BUFFER_FORMAT_ABGR, NV_ENC_BUFFER_FORMAT_YUV444,
    NV_ENC_BUFFER_FORMAT_AYUV,
};

constexpr std::uint32_t kBitRate = 5'000'000;  // bits a second

}  // namespace

std::span<const GUID> codecs() {
  return kCodecs;
}
std::span<const GUID> profiles() {
  return kProfiles;
}
std::span<const GUID> presets() {
  return kPresets;
}
std::span<const NV_ENC_BUFFER_FORMAT> input_formats() {
  return kInputFormats;
}

int capability(NV_ENC_CAPS which) {
  switch (which) {
    case NV_ENC_CAPS_NUM_MAX_BFRAMES:
      return kMaxBFrames;
    case NV_ENC_CAPS_SUPPORTED_RATECONTROL_MODES:
      return NV_ENC_PARAMS_RC_CONSTQP | NV_ENC_PARAMS_RC_VBR | NV_ENC_PARAMS_RC_CBR |
             NV_ENC_PARAMS_RC_CBR_LOWDELAY_HQ | NV_ENC_PARAMS_RC_CBR_HQ | NV_ENC_PARAMS_RC_VBR_HQ;
    case NV_ENC_CAPS_SUPPORT_CABAC:
    case NV_ENC_CAPS_SUPPORT_DYN_RES_CHANGE:
    case NV_ENC_CAPS_SUPPORT_DYN_BITRATE_CHANGE:
    case NV_ENC_CAPS_SUPPORT_YUV444_ENCODE:
    case NV_ENC_CAPS_SUPPORT_LOSSLESS_ENCODE:
    case NV_ENC_CAPS_SUPPORT_LOOKAHEAD:
    case NV_ENC_CAPS_NUM_ENCODER_ENGINES:
      return 1;
    case NV_ENC_CAPS_LEVEL_MIN:
      return NV_ENC_LEVEL_H264_1;
    case NV_ENC_CAPS_LEVEL_MAX:
      return NV_ENC_LEVEL_H264_51;
    case NV_ENC_CAPS_WIDTH_MIN:
      return kMinWidth;
    case NV_ENC_CAPS_HEIGHT_MIN:
      return kMinHeight;
    case NV_ENC_CAPS_WIDTH_MAX:
    case NV_ENC_CAPS_HEIGHT_MAX:
      return kMaxSize;
    case NV_ENC_CAPS_MB_NUM_MAX:
      return (kMaxSize / 16) * (kMaxSize / 16);
    default:
      return 0;
  }
}

bool is_lossless_preset(const GUID& preset) {
  return same(preset, NV_ENC_PRESET_LOSSLESS_DEFAULT_GUID) ||
         same(preset, NV_ENC_PRESET_LOSSLESS_HP_GUID);
}

NV_ENC_CONFIG preset_config(const GUID& preset, NV_ENC_TUNING_INFO tuning) {
  NV_ENC_CONFIG config{};
  config.version = NV_ENC_CONFIG_VER;
  config.profileGUID = NV_ENC_CODEC_PROFILE_AUTOSELECT_GUID;
  config.gopLength = 30;
  config.frameIntervalP = 1;
  config.frameFieldMode = NV_ENC_PARAMS_FRAME_FIELD_MODE_FRAME;
  config.mvPrecision = NV_ENC_MV_PRECISION_QUARTER_PEL;
  config.rcParams.version = NV_ENC_RC_PARAMS_VER;
  config.rcParams.rateControlMode = NV_ENC_PARAMS_RC_VBR;
  config.rcParams.constQP = {28, 31, 25};
  config.rcParams.averageBitRate = kBitRate;
  NV_ENC_CONFIG_H264& h264 = config.encodeCodecConfig.h264Config;
  h264.idrPeriod = config.gopLength;
  h264.chromaFormatIDC = 1;
  if (is_lossless_preset(preset) || tuning == NV_ENC_TUNING_INFO_LOSSLESS) {
    config.profileGUID = NV_ENC_H264_PROFILE_HIGH_444_GUID;
    config.rcParams.rateControlMode = NV_ENC_PARAMS_RC_CONSTQP;
    config.rcParams.constQP = {0, 0, 0};
    h264.qpPrimeYZeroTransformBypassFlag = 1;
  }
  return config;
}

}  // namespace emulated_nvenc
