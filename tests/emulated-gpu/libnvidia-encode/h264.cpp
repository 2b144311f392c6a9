// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libnvidia-encode/h264.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <numeric>

#include "tests/emulated-gpu/libnvidia-encode/capabilities.h"

namespace emulated_nvenc {
namespace {

const char* profile_name(const Settings& settings) {
  const GUID& profile = settings.config.profileGUID;
  if (settings.lossless() || !settings.subsampled() ||
      same(profile, NV_ENC_H264_PROFILE_HIGH_444_GUID))
    return "high444";
  if (same(profile, NV_ENC_H264_PROFILE_BASELINE_GUID)) return "baseline";
  if (same(profile, NV_ENC_H264_PROFILE_MAIN_GUID)) return "main";
  return "high";
}

void set_rate(const Settings& settings, x264_param_t* x) {
  const NV_ENC_RC_PARAMS& rate = settings.config.rcParams;
  x->rc.i_aq_mode = X264_AQ_NONE;
  x->rc.b_mb_tree = 0;
  x->rc.i_lookahead = 0;
  if (settings.lossless() || rate.rateControlMode == NV_ENC_PARAMS_RC_CONSTQP) {
    x->rc.i_rc_method = X264_RC_CQP;
    // 0 stands for lossless.
    x->rc.i_qp_constant =
        settings.lossless() ? 0 : std::max(1, static_cast<int>(rate.constQP.qpInterP));
    return;
  }
  x->rc.i_rc_method = X264_RC_ABR;
  x->rc.i_bitrate = static_cast<int>(std::max(1u, rate.averageBitRate / 1000));
  if (rate.enableMinQP) x->rc.i_qp_min = static_cast<int>(rate.minQP.qpInterP);
  if (rate.enableMaxQP) x->rc.i_qp_max = static_cast<int>(rate.maxQP.qpInterP);
}

void set_vui(const Settings& settings, x264_param_t* x) {
  const NV_ENC_INITIALIZE_PARAMS& init = settings.init;
  const auto& vui = settings.config.encodeCodecConfig.h264Config.h264VUIParameters;
  if (vui.videoSignalTypePresentFlag) {
    x->vui.i_vidformat = static_cast<int>(vui.videoFormat);
    x->vui.b_fullrange = vui.videoFullRangeFlag ? 1 : 0;
    if (vui.colourDescriptionPresentFlag) {
      x->vui.i_colorprim = static_cast<int>(vui.colourPrimaries);
      x->vui.i_transfer = static_cast<int>(vui.transferCharacteristics);
      x->vui.i_colmatrix = static_cast<int>(vui.colourMatrix);
    }
  }
  if (init.darWidth == 0 || init.darHeight == 0) return;
  const std::uint64_t across = std::uint64_t{init.darWidth} * init.encodeHeight;
  const std::uint64_t down = std::uint64_t{init.darHeight} * init.encodeWidth;
  const std::uint64_t common = std::gcd(across, down);
  x->vui.i_sar_width = static_cast<int>(across / common);
  x->vui.i_sar_height = static_cast<int>(down / common);
}

/// One thread, and nothing that depends on what will come, so that a picture is encoded when it is
/// submitted, in the same way each time.
bool translate(const Settings& settings, x264_param_t* x) {
  if (x264_param_default_preset(x, "ultrafast", nullptr) < 0) return false;
  const NV_ENC_INITIALIZE_PARAMS& init = settings.init;
  const NV_ENC_CONFIG_H264& h264 = settings.config.encodeCodecConfig.h264Config;
  x->i_threads = 1;
  x->i_lookahead_threads = 1;
  x->i_sync_lookahead = 0;
  x->b_vfr_input = 0;
  x->i_scenecut_threshold = 0;
  x->i_width = static_cast<int>(init.encodeWidth);
  x->i_height = static_cast<int>(init.encodeHeight);
  x->i_csp = settings.subsampled() ? X264_CSP_I420 : X264_CSP_I444;
  if (init.frameRateNum > 0 && init.frameRateDen > 0) {
    x->i_fps_num = init.frameRateNum;
    x->i_fps_den = init.frameRateDen;
  }
  x->i_keyint_max = static_cast<int>(
      std::min(settings.gop(), static_cast<std::uint32_t>(X264_KEYINT_MAX_INFINITE)));
  x->i_keyint_min = 1;
  x->i_bframe = static_cast<int>(settings.interval()) - 1;
  x->i_bframe_adaptive = X264_B_ADAPT_NONE;
  x->i_bframe_pyramid = X264_B_PYRAMID_NONE;
  x->b_cabac = h264.entropyCodingMode != NV_ENC_H264_ENTROPY_CODING_MODE_CAVLC;
  if (h264.level != NV_ENC_LEVEL_AUTOSELECT) x->i_level_idc = static_cast<int>(h264.level);
  x->b_aud = h264.outputAUD;
  x->b_repeat_headers = !h264.disableSPSPPS;
  x->i_sps_id = static_cast<int>(h264.spsId);
  set_rate(settings, x);
  set_vui(settings, x);
  return x264_param_apply_profile(x, profile_name(settings)) == 0;
}

NV_ENC_PIC_TYPE picture_type(int type) {
  switch (type) {
    case X264_TYPE_IDR:
      return NV_ENC_PIC_TYPE_IDR;
    case X264_TYPE_I:
    case X264_TYPE_KEYFRAME:
      return NV_ENC_PIC_TYPE_I;
    case X264_TYPE_B:
    case X264_TYPE_BREF:
      return NV_ENC_PIC_TYPE_B;
    default:
      return NV_ENC_PIC_TYPE_P;
  }
}

}  // namespace

bool Settings::lossless() const {
  if (is_lossless_preset(init.presetGUID) || init.tuningInfo == NV_ENC_TUNING_INFO_LOSSLESS)
    return true;
  const NV_ENC_RC_PARAMS& rate = config.rcParams;
  return rate.rateControlMode == NV_ENC_PARAMS_RC_CONSTQP &&
         rate.constQP.qpIntra + rate.constQP.qpInterP + rate.constQP.qpInterB == 0;
}

void H264::on_log(void* self, int, const char* format, va_list arguments) {
  char line[256];
  std::vsnprintf(line, sizeof line, format, arguments);
  static_cast<H264*>(self)->error_ = line;
}

bool H264::open(const Settings& settings) {
  close();
  x264_param_t x;
  if (!translate(settings, &x)) {
    error_ = "the profile does not allow these settings";
    return false;
  }
  x.pf_log = on_log;
  x.p_log_private = this;
  x.i_log_level = X264_LOG_ERROR;
  encoder_ = x264_encoder_open(&x);
  return encoder_ != nullptr;
}

bool H264::change(const Settings& settings) {
  x264_param_t x;
  x264_encoder_parameters(encoder_, &x);
  set_rate(settings, &x);
  return x264_encoder_reconfig(encoder_, &x) == 0;
}

void H264::close() {
  if (encoder_) x264_encoder_close(encoder_);
  encoder_ = nullptr;
}

bool H264::run(x264_picture_t* picture, std::vector<Packet>* ready) {
  x264_nal_t* units = nullptr;
  int count = 0;
  x264_picture_t out;
  x264_picture_init(&out);
  const int bytes = x264_encoder_encode(encoder_, &units, &count, picture, &out);
  if (bytes < 0) return false;
  if (bytes == 0) return true;
  // The units lie one after the other.
  ready->push_back({{units[0].p_payload, units[0].p_payload + bytes},
                    picture_type(out.i_type),
                    out.i_qpplus1 - 1,
                    static_cast<std::uint64_t>(out.i_pts)});
  return true;
}

bool H264::encode(const Picture& picture, std::uint64_t number, bool idr,
                  std::vector<Packet>* ready) {
  x264_picture_t in;
  x264_picture_init(&in);
  in.img = picture.image();
  in.i_pts = static_cast<std::int64_t>(number);
  in.i_type = idr ? X264_TYPE_IDR : X264_TYPE_AUTO;
  return run(&in, ready);
}

bool H264::finish(std::vector<Packet>* ready) {
  while (x264_encoder_delayed_frames(encoder_) > 0)
    if (!run(nullptr, ready)) return false;
  return true;
}

std::vector<std::uint8_t> H264::headers() const {
  std::vector<std::uint8_t> bytes;
  x264_nal_t* units = nullptr;
  int count = 0;
  if (x264_encoder_headers(encoder_, &units, &count) < 0) return bytes;
  for (const x264_nal_t& unit : std::vector<x264_nal_t>(units, units + count))
    if (unit.i_type == NAL_SPS || unit.i_type == NAL_PPS)
      bytes.insert(bytes.end(), unit.p_payload, unit.p_payload + unit.i_payload);
  return bytes;
}

}  // namespace emulated_nvenc
