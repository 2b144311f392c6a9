// SPDX-License-Identifier: LGPL-2.1-or-later
// The emulated decoder's own functions: surfaces, streams, states and errors.
#include <functional>
#include <map>

#include "tests/emulated-gpu/decoded_clips.h"
#include "tests/emulated-gpu/libnvcuvid/client.h"

namespace emulated_gpu {
namespace {

class NvdecApi : public Gpu {
 protected:
  void SetUp() override {
    if (const std::string missing = missing_elements("h264"); !missing.empty())
      GTEST_SKIP() << missing;
    // Those that GStreamer's plugin left when it asked the decoder what it can do.
    while (stack_depth() > 0) ctx_pop(nullptr);
    Gpu::SetUp();
  }

  Parsed parse(const Clip& clip, int surfaces = 20) {
    CUVIDPARSERPARAMS params{};
    params.CodecType = clip.codec == "h264" ? cudaVideoCodec_H264 : cudaVideoCodec_HEVC;
    params.ulMaxNumDecodeSurfaces = 1;
    params.ulMaxDisplayDelay = 2;
    Parsed parsed;
    parsed.surfaces = surfaces;
    params.pUserData = &parsed;
    params.pfnSequenceCallback = [](void* user, CUVIDEOFORMAT* format) {
      static_cast<Parsed*>(user)->sequences.push_back(*format);
      return static_cast<Parsed*>(user)->surfaces;
    };
    params.pfnDecodePicture = [](void* user, CUVIDPICPARAMS* picture) {
      static_cast<Parsed*>(user)->pictures.emplace_back(*picture);
      return 1;
    };
    params.pfnDisplayPicture = [](void* user, CUVIDPARSERDISPINFO* info) {
      static_cast<Parsed*>(user)->displayed.push_back(*info);
      return 1;
    };
    CUvideoparser parser = nullptr;
    EXPECT_EQ(nvdec_.CreateVideoParser(&parser, &params), kSuccess);
    Player player(decode(clips_.make(clip),
                         "video/x-" + clip.codec + ",stream-format=byte-stream,alignment=au"));
    GstVideoInfo ignored;
    CUVIDSOURCEDATAPACKET packet{};
    while (const Buffer unit = player.take_buffer(&ignored)) {
      GstMapInfo map;
      gst_buffer_map(unit.get(), &map, GST_MAP_READ);
      packet.flags = CUVID_PKT_ENDOFPICTURE | CUVID_PKT_TIMESTAMP;
      packet.payload = map.data;
      packet.payload_size = map.size;
      packet.timestamp = static_cast<CUvideotimestamp>(GST_BUFFER_PTS(unit.get()));
      EXPECT_EQ(nvdec_.ParseVideoData(parser, &packet), kSuccess);
      gst_buffer_unmap(unit.get(), &map);
    }
    packet = {};
    packet.flags = CUVID_PKT_ENDOFSTREAM;
    EXPECT_EQ(nvdec_.ParseVideoData(parser, &packet), kSuccess);
    EXPECT_EQ(nvdec_.DestroyVideoParser(parser), kSuccess);
    return parsed;
  }

  static CUVIDDECODECREATEINFO info_of(const CUVIDEOFORMAT& format) {
    CUVIDDECODECREATEINFO info{};
    info.CodecType = format.codec;
    info.ChromaFormat = format.chroma_format;
    info.ulWidth = format.coded_width;
    info.ulHeight = format.coded_height;
    info.ulNumDecodeSurfaces = 20;
    info.ulNumOutputSurfaces = 2;
    info.display_area.right = static_cast<short>(format.display_area.right);
    info.display_area.bottom = static_cast<short>(format.display_area.bottom);
    info.ulTargetWidth = static_cast<tcu_ulong>(format.display_area.right);
    info.ulTargetHeight = static_cast<tcu_ulong>(format.display_area.bottom);
    return info;
  }

  CUvideodecoder create(const CUVIDEOFORMAT& format) {
    CUVIDDECODECREATEINFO info = info_of(format);
    CUvideodecoder decoder = nullptr;
    EXPECT_EQ(nvdec_.CreateDecoder(&decoder, &info), kSuccess);
    return decoder;
  }

  Result map(CUvideodecoder decoder, int surface, Handle stream, unsigned long long* address) {
    CUVIDPROCPARAMS params{};
    params.progressive_frame = 1;
    params.output_stream = static_cast<CUstream>(stream);
    return nvdec_.MapVideoFrame64(decoder, surface, address, &pitch_, &params);
  }

  /// The luma of a mapped picture, as it is now.
  std::vector<unsigned char> peek_luma(unsigned long long address, const CUVIDEOFORMAT& format) {
    const auto width = static_cast<std::size_t>(format.display_area.right);
    const auto height = static_cast<std::size_t>(format.display_area.bottom);
    std::vector<unsigned char> luma(width * height);
    for (std::size_t y = 0; y < height; ++y)
      peek(luma.data() + y * width, reinterpret_cast<void*>(address + y * pitch_), width);
    return luma;
  }

  /// The luma of each picture, in decoding order.
  std::vector<std::vector<unsigned char>> decode_all(Parsed& parsed) {
    std::vector<std::vector<unsigned char>> lumas;
    CUvideodecoder decoder = create(parsed.sequences.front());
    for (Coded& picture : parsed.pictures) {
      unsigned long long address = 0;
      EXPECT_EQ(nvdec_.DecodePicture(decoder, picture.into(picture.params.CurrPicIdx)), kSuccess);
      EXPECT_EQ(status(decoder, picture.params.CurrPicIdx), cuvidDecodeStatus_Success);
      EXPECT_EQ(map(decoder, picture.params.CurrPicIdx, nullptr, &address), kSuccess);
      EXPECT_EQ(ctx_synchronize(), kSuccess);
      lumas.push_back(peek_luma(address, parsed.sequences.front()));
      EXPECT_EQ(nvdec_.UnmapVideoFrame64(decoder, address), kSuccess);
    }
    EXPECT_EQ(nvdec_.DestroyDecoder(decoder), kSuccess);
    return lumas;
  }

  /// Asks until the picture is decoded.
  cuvidDecodeStatus status(CUvideodecoder decoder, int surface) {
    CUVIDGETDECODESTATUS status{};
    do EXPECT_EQ(nvdec_.GetDecodeStatus(decoder, surface, &status), kSuccess);
    while (status.decodeStatus == cuvidDecodeStatus_InProgress);
    return status.decodeStatus;
  }

  static Clip short_clip(const char* encoder) { return {176, 144, 8, encoder}; }

  Functions nvdec_;
  Clips clips_;
  unsigned pitch_ = 0;
};

TEST_F(NvdecApi, SupportsH264AndHevcAndNothingElse) {
  for (const int codec : {cudaVideoCodec_MPEG2, cudaVideoCodec_H264, cudaVideoCodec_JPEG,
                          cudaVideoCodec_HEVC, cudaVideoCodec_VP9, cudaVideoCodec_AV1})
    for (const int chroma : {cudaVideoChromaFormat_420, cudaVideoChromaFormat_444})
      for (const unsigned depth : {0u, 2u}) {
        CUVIDDECODECAPS caps{};
        caps.eCodecType = static_cast<cudaVideoCodec>(codec);
        caps.eChromaFormat = static_cast<cudaVideoChromaFormat>(chroma);
        caps.nBitDepthMinus8 = depth;
        EXPECT_EQ(nvdec_.GetDecoderCaps(&caps), kSuccess);
        const bool wanted = (codec == cudaVideoCodec_H264 || codec == cudaVideoCodec_HEVC) &&
                            chroma == cudaVideoChromaFormat_420 && depth == 0;
        EXPECT_EQ(caps.bIsSupported, wanted) << codec << " " << chroma << " " << depth;
        EXPECT_EQ(caps.nMaxWidth > 0, wanted);
      }
}

TEST_F(NvdecApi, RefusesWhatItCannotDo) {
  CUVIDEOFORMAT format{};
  format.codec = cudaVideoCodec_H264;
  format.chroma_format = cudaVideoChromaFormat_420;
  format.coded_width = 64;
  format.coded_height = 64;
  format.display_area.right = format.display_area.bottom = 64;
  const auto create_changed = [&](const std::function<void(CUVIDDECODECREATEINFO&)>& change) {
    CUVIDDECODECREATEINFO info = info_of(format);
    change(info);
    CUvideodecoder decoder = nullptr;
    return nvdec_.CreateDecoder(&decoder, &info);
  };
  EXPECT_EQ(create_changed([](auto& info) { info.CodecType = cudaVideoCodec_VP9; }), kNotSupported);
  EXPECT_EQ(create_changed([](auto& info) { info.CodecType = cudaVideoCodec_HEVC; }), kNotSupported)
      << "too small for HEVC";
  EXPECT_EQ(create_changed([](auto& info) { info.ulTargetWidth = 32; }), kNotSupported);
  EXPECT_EQ(create_changed([](auto& info) { info.ulWidth = 8192; }), kNotSupported);
  EXPECT_EQ(create_changed([](auto& info) { info.ulNumDecodeSurfaces = 0; }), kInvalidValue);
  EXPECT_EQ(create_changed([](auto& info) { info.ulNumOutputSurfaces = 0; }), kInvalidValue);
  Handle context = nullptr;
  EXPECT_EQ(ctx_pop(&context), kSuccess);
  EXPECT_EQ(create_changed([](auto&) {}), kInvalidContext);
  EXPECT_EQ(ctx_push(context), kSuccess);
  EXPECT_EQ(nvdec_.DestroyDecoder(nullptr), kInvalidHandle);
}

TEST_F(NvdecApi, ParserCallsBackInBothOrders) {
  const Parsed parsed = parse(short_clip("bframes=3 b-adapt=false ref=3"));
  ASSERT_EQ(parsed.sequences.size(), 1u);
  const CUVIDEOFORMAT& format = parsed.sequences.front();
  EXPECT_EQ(format.coded_width, 176u);
  EXPECT_EQ(format.coded_height, 144u);
  EXPECT_EQ(format.frame_rate.numerator, 25 * format.frame_rate.denominator);
  ASSERT_EQ(parsed.pictures.size(), 8u);
  ASSERT_EQ(parsed.displayed.size(), 8u);
  bool same_order = true;
  for (std::size_t i = 0; i < 8; ++i) {
    if (i > 0) {
      EXPECT_GT(parsed.displayed[i].timestamp, parsed.displayed[i - 1].timestamp);
    }
    same_order &= parsed.displayed[i].picture_index == parsed.pictures[i].params.CurrPicIdx;
  }
  EXPECT_FALSE(same_order);
}

/// A client that decodes by the parameters alone, as hardware does, finds each reference where it
/// was decoded, still there.
TEST_F(NvdecApi, ParserNamesTheReferencesOfHevc) {
  if (const std::string missing = missing_elements("h265"); !missing.empty())
    GTEST_SKIP() << missing;
  Clip clip{176, 144, 24, "bframes=3:b-adapt=0:b-pyramid=1:ref=4:keyint=8", "h265"};
  const Parsed parsed = parse(clip, 9);
  ASSERT_EQ(parsed.pictures.size(), 24u);
  std::map<int, int> orders;  // of the picture in each surface
  int before = 0, after = 0;
  for (const Coded& picture : parsed.pictures) {
    const CUVIDHEVCPICPARAMS& hevc = picture.params.CodecSpecific.hevc;
    for (int i = 0; i < 16 && hevc.RefPicIdx[i] >= 0; ++i) {
      EXPECT_NE(hevc.RefPicIdx[i], picture.params.CurrPicIdx);
      EXPECT_EQ(orders.at(hevc.RefPicIdx[i]), hevc.PicOrderCntVal[i]);
    }
    for (int i = 0; i < hevc.NumPocStCurrBefore; ++i, ++before)
      EXPECT_LT(orders.at(hevc.RefPicIdx[hevc.RefPicSetStCurrBefore[i]]), hevc.CurrPicOrderCntVal);
    for (int i = 0; i < hevc.NumPocStCurrAfter; ++i, ++after)
      EXPECT_GT(orders.at(hevc.RefPicIdx[hevc.RefPicSetStCurrAfter[i]]), hevc.CurrPicOrderCntVal);
    EXPECT_EQ(hevc.NumPocTotalCurr, hevc.NumPocStCurrBefore + hevc.NumPocStCurrAfter);
    EXPECT_EQ(hevc.NumPocTotalCurr == 0, hevc.IrapPicFlag != 0);
    orders[picture.params.CurrPicIdx] = hevc.CurrPicOrderCntVal;
  }
  EXPECT_GT(before, 24);
  EXPECT_GT(after, 10);
}

TEST_F(NvdecApi, DecodesHevcAfterAJumpBack) {
  if (const std::string missing = missing_elements("h265"); !missing.empty())
    GTEST_SKIP() << missing;
  Parsed parsed = parse({176, 144, 16, "bframes=2:b-adapt=0:keyint=8", "h265"});
  const auto lumas = decode_all(parsed);
  const auto hevc = [&](std::size_t i) { return parsed.pictures[i].params.CodecSpecific.hevc; };
  std::size_t entry = 1;
  while (!hevc(entry).IrapPicFlag) ++entry;
  ASSERT_FALSE(hevc(entry).IdrPicFlag);
  std::size_t next = entry + 1;
  while (hevc(next).CurrPicOrderCntVal < hevc(entry).CurrPicOrderCntVal) ++next;
  Parsed jump = parsed;
  jump.pictures.clear();
  std::vector<std::vector<unsigned char>> wanted;
  for (const std::size_t i : {std::size_t{0}, entry, next, entry, next}) {
    jump.pictures.push_back(parsed.pictures[i]);
    wanted.push_back(lumas[i]);
  }
  EXPECT_EQ(decode_all(jump), wanted);
}

TEST_F(NvdecApi, MapsNoMorePicturesThanItHasSurfacesForOutput) {
  Parsed parsed = parse(short_clip("bframes=0"));
  CUvideodecoder decoder = create(parsed.sequences.front());
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(nvdec_.DecodePicture(decoder, parsed.pictures[static_cast<std::size_t>(i)].into(i)),
              kSuccess);
  unsigned long long first = 0, second = 0, third = 0;
  EXPECT_EQ(map(decoder, 4, nullptr, &third), kInvalidValue) << "never decoded";
  EXPECT_EQ(map(decoder, 0, nullptr, &first), kSuccess);
  EXPECT_EQ(map(decoder, 1, nullptr, &second), kSuccess);
  EXPECT_EQ(map(decoder, 2, nullptr, &third), kMapFailed);
  EXPECT_EQ(nvdec_.UnmapVideoFrame64(decoder, first), kSuccess);
  EXPECT_EQ(nvdec_.UnmapVideoFrame64(decoder, first), kInvalidValue);
  EXPECT_EQ(map(decoder, 2, nullptr, &third), kSuccess);
  EXPECT_EQ(third, first);
  EXPECT_EQ(nvdec_.DestroyDecoder(decoder), kSuccess);
}

TEST_F(NvdecApi, WaitsForAPictureThatIsStillCopied) {
  ASSERT_EQ(ctx_destroy(context_), kSuccess);
  open(true);
  Parsed parsed = parse(short_clip("bframes=0"));
  const auto lumas = decode_all(parsed);
  const CUVIDEOFORMAT& format = parsed.sequences.front();
  ASSERT_NE(lumas[0], lumas[1]);
  CUvideodecoder decoder = create(format);
  Handle output = stream(1);
  unsigned long long address = 0;
  EXPECT_EQ(nvdec_.DecodePicture(decoder, parsed.pictures[0].into(0)), kSuccess);
  EXPECT_EQ(map(decoder, 0, output, &address), kSuccess);
  EXPECT_NE(peek_luma(address, format), lumas[0]) << "the copy is work of the client's stream";
  EXPECT_EQ(nvdec_.DecodePicture(decoder, parsed.pictures[1].into(0)), kSuccess);
  EXPECT_EQ(status(decoder, 0), cuvidDecodeStatus_Success);
  EXPECT_EQ(stream_synchronize(output), kSuccess);
  EXPECT_EQ(peek_luma(address, format), lumas[0]) << "overwritten before it was copied";
  EXPECT_EQ(nvdec_.UnmapVideoFrame64(decoder, address), kSuccess);
  EXPECT_EQ(map(decoder, 0, output, &address), kSuccess);
  EXPECT_EQ(stream_synchronize(output), kSuccess);
  EXPECT_EQ(peek_luma(address, format), lumas[1]);
  EXPECT_EQ(stream_destroy(output), kSuccess);
  EXPECT_EQ(nvdec_.DestroyDecoder(decoder), kSuccess);
}

TEST_F(NvdecApi, ReportsPicturesThatCannotBeDecoded) {
  Parsed parsed = parse(short_clip("bframes=0"));
  CUvideodecoder decoder = create(parsed.sequences.front());
  CUVIDGETDECODESTATUS none{};
  EXPECT_EQ(nvdec_.GetDecodeStatus(decoder, 0, &none), kInvalidValue);
  EXPECT_EQ(nvdec_.DecodePicture(decoder, parsed.pictures[0].into(0)), kSuccess);
  EXPECT_EQ(status(decoder, 0), cuvidDecodeStatus_Success);
  Coded broken = parsed.pictures[1];
  broken.bytes.resize(5);
  EXPECT_EQ(nvdec_.DecodePicture(decoder, broken.into(1)), kSuccess);
  EXPECT_EQ(status(decoder, 1), cuvidDecodeStatus_Error);
  EXPECT_EQ(nvdec_.DecodePicture(decoder, parsed.pictures[1].into(20)), kInvalidValue);
  EXPECT_EQ(nvdec_.DestroyDecoder(decoder), kSuccess);
}

TEST_F(NvdecApi, IsReconfiguredForAnotherSize) {
  Clip large = short_clip("bframes=0");
  large.width = 208;
  Parsed small = parse(short_clip("bframes=0")), big = parse(large);
  const auto lumas = decode_all(big);
  CUVIDDECODECREATEINFO info = info_of(small.sequences.front());
  info.ulMaxWidth = 208;
  info.ulMaxHeight = 144;
  CUvideodecoder decoder = nullptr;
  ASSERT_EQ(nvdec_.CreateDecoder(&decoder, &info), kSuccess);
  EXPECT_EQ(nvdec_.DecodePicture(decoder, small.pictures[0].into(0)), kSuccess);
  EXPECT_EQ(nvdec_.DecodePicture(decoder, big.pictures[0].into(0)), kInvalidValue);
  unsigned long long held = 0, address = 0;
  EXPECT_EQ(map(decoder, 0, nullptr, &held), kSuccess);
  EXPECT_EQ(ctx_synchronize(), kSuccess);
  const auto before = peek_luma(held, small.sequences.front());
  CUVIDRECONFIGUREDECODERINFO other{};
  other.ulWidth = other.ulTargetWidth = 208;
  other.ulHeight = other.ulTargetHeight = 144;
  other.ulNumDecodeSurfaces = 6;
  EXPECT_EQ(nvdec_.ReconfigureDecoder(decoder, &other), kSuccess);
  EXPECT_EQ(nvdec_.DecodePicture(decoder, big.pictures[0].into(5)), kSuccess);
  EXPECT_EQ(map(decoder, 5, nullptr, &address), kSuccess);
  EXPECT_EQ(ctx_synchronize(), kSuccess);
  EXPECT_EQ(peek_luma(address, big.sequences.front()), lumas[0]);
  EXPECT_EQ(peek_luma(held, small.sequences.front()), before);
  other.ulWidth = other.ulTargetWidth = 224;
  EXPECT_EQ(nvdec_.ReconfigureDecoder(decoder, &other), kInvalidValue);
  EXPECT_EQ(nvdec_.DestroyDecoder(decoder), kSuccess);
}

TEST_F(NvdecApi, FunctionsFailOnDemand) {
  Parsed parsed = parse(short_clip("bframes=0"));
  CUVIDDECODECREATEINFO info = info_of(parsed.sequences.front());
  CUvideodecoder decoder = nullptr;
  unsigned long long address = 0;
  const auto fails_once = [&](const char* function, const std::function<Result()>& call) {
    fault(function, 1, kLaunchFailed, EMULATED_GPU_ONCE);
    EXPECT_EQ(call(), kLaunchFailed) << function;
    EXPECT_STREQ(struck(), function);
  };
  const auto fails_then_succeeds = [&](const char* function, const std::function<Result()>& call) {
    fails_once(function, call);
    EXPECT_EQ(call(), kSuccess) << function;
  };
  fails_then_succeeds("cuvidCreateDecoder", [&] { return nvdec_.CreateDecoder(&decoder, &info); });
  fails_then_succeeds("cuvidDecodePicture",
                      [&] { return nvdec_.DecodePicture(decoder, parsed.pictures[0].into(0)); });
  fails_then_succeeds("cuvidMapVideoFrame", [&] { return map(decoder, 0, nullptr, &address); });
  fails_then_succeeds("cuvidUnmapVideoFrame",
                      [&] { return nvdec_.UnmapVideoFrame64(decoder, address); });
  fails_once("cuvidDestroyDecoder", [&] { return nvdec_.DestroyDecoder(decoder); });
  EXPECT_EQ(nvdec_.DestroyDecoder(decoder), kInvalidHandle) << "it was destroyed all the same";
  // The driver's functions that the decoder calls: memory that runs out.
  fails_once("cuMemAllocPitch", [&] { return nvdec_.CreateDecoder(&decoder, &info); });
}

}  // namespace
}  // namespace emulated_gpu
