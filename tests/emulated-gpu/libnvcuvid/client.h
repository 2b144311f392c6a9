// SPDX-License-Identifier: LGPL-2.1-or-later
/// The emulated decoder as a client loads it, for tests.
#pragma once

#include <ffnvcodec/dynlink_cuda.h>
// After the types that it needs.
#include <ffnvcodec/dynlink_nvcuvid.h>

#include <deque>
#include <string>
#include <vector>

#include "tests/emulated-gpu/driver_functions.h"

namespace emulated_gpu {

struct Functions {
#define DECODER_FUNCTION(name, ...) \
  Result (*name)(__VA_ARGS__) = symbol<Result(__VA_ARGS__)>("cuvid" #name, "libnvcuvid.so.1")
  DECODER_FUNCTION(GetDecoderCaps, CUVIDDECODECAPS*);
  DECODER_FUNCTION(CreateDecoder, CUvideodecoder*, CUVIDDECODECREATEINFO*);
  DECODER_FUNCTION(DestroyDecoder, CUvideodecoder);
  DECODER_FUNCTION(DecodePicture, CUvideodecoder, CUVIDPICPARAMS*);
  DECODER_FUNCTION(GetDecodeStatus, CUvideodecoder, int, CUVIDGETDECODESTATUS*);
  DECODER_FUNCTION(ReconfigureDecoder, CUvideodecoder, CUVIDRECONFIGUREDECODERINFO*);
  DECODER_FUNCTION(MapVideoFrame64, CUvideodecoder, int, unsigned long long*, unsigned*,
                   CUVIDPROCPARAMS*);
  DECODER_FUNCTION(UnmapVideoFrame64, CUvideodecoder, unsigned long long);
  DECODER_FUNCTION(CreateVideoParser, CUvideoparser*, CUVIDPARSERPARAMS*);
  DECODER_FUNCTION(ParseVideoData, CUvideoparser, CUVIDSOURCEDATAPACKET*);
  DECODER_FUNCTION(DestroyVideoParser, CUvideoparser);
#undef DECODER_FUNCTION
};

/// A picture's parameters with the bytes that they point at.
struct Coded {
  CUVIDPICPARAMS params;
  std::string bytes;
  std::vector<unsigned> offsets;

  explicit Coded(const CUVIDPICPARAMS& from)
      : params(from),
        bytes(reinterpret_cast<const char*>(from.pBitstreamData), from.nBitstreamDataLen),
        offsets(from.pSliceDataOffsets, from.pSliceDataOffsets + from.nNumSlices) {}
  CUVIDPICPARAMS* into(int surface) {
    params.CurrPicIdx = surface;
    params.pBitstreamData = reinterpret_cast<const unsigned char*>(bytes.data());
    params.nBitstreamDataLen = static_cast<unsigned>(bytes.size());
    params.pSliceDataOffsets = offsets.data();
    return &params;
  }
};

/// What a parser called back.
struct Parsed {
  std::vector<CUVIDEOFORMAT> sequences;
  std::deque<Coded> pictures;
  std::vector<CUVIDPARSERDISPINFO> displayed;
  int surfaces = 20;  ///< what the callback for a sequence returns
};

}  // namespace emulated_gpu
