// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/emulated-gpu/libnvidia-encode/api.h"
#include "tests/emulated-gpu/libnvidia-encode/picture.h"

namespace emulated_nvenc {

/// What an encoder is initialised with.
struct Settings {
  NV_ENC_INITIALIZE_PARAMS init{};
  NV_ENC_CONFIG config{};

  bool lossless() const;
  /// Distance of P-frames, in frames; 1: no B-frames.
  std::uint32_t interval() const { return config.frameIntervalP > 1 ? config.frameIntervalP : 1; }
  /// Distance of IDR frames, in frames.
  std::uint32_t gop() const { return config.gopLength; }
  /// In frames.
  std::uint32_t lookahead() const {
    return config.rcParams.enableLookahead ? config.rcParams.lookaheadDepth : 0;
  }
  bool subsampled() const { return config.encodeCodecConfig.h264Config.chromaFormatIDC != 3; }
};

/// An encoded picture.
struct Packet {
  std::vector<std::uint8_t> bytes;  ///< NAL units, each after a start code
  NV_ENC_PIC_TYPE type;
  int qp;
  std::uint64_t number;  ///< of the picture
};

/// An encoder of one stream.
class H264 {
 public:
  H264() = default;
  ~H264() { close(); }
  H264(const H264&) = delete;
  H264& operator=(const H264&) = delete;

  /// False if libx264 refuses the settings; `error()` then says why.
  bool open(const Settings& settings);
  /// Takes settings of the same size and structure into use. False as in open().
  bool change(const Settings& settings);
  void close();

  /// Encodes a picture, whose number must be higher than that of the one before. Appends what is
  /// ready. Returns false if that fails.
  bool encode(const Picture& picture, std::uint64_t number, bool idr, std::vector<Packet>* ready);
  /// Appends all that is left. The encoder must be opened again to encode more.
  bool finish(std::vector<Packet>* ready);

  /// The sequence and picture parameter sets.
  std::vector<std::uint8_t> headers() const;

  /// The last message of libx264.
  const std::string& error() const { return error_; }

 private:
  static void on_log(void* self, int level, const char* format, va_list arguments);
  bool run(x264_picture_t* picture, std::vector<Packet>* ready);

  x264_t* encoder_ = nullptr;
  std::string error_;
};

}  // namespace emulated_nvenc
