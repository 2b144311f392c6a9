// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libnvcuvid/decoder.h"

#include <algorithm>
#include <cstring>

#include "tests/emulated-gpu/libcuda/control.h"
#include "tests/emulated-gpu/libnvcuvid/driver_calls.h"

namespace emulated_nvdec {
namespace {

using emulated_gpu::kInvalidContext;
using emulated_gpu::kInvalidValue;
using emulated_gpu::kMapFailed;
using emulated_gpu::kNotReady;
using emulated_gpu::kNotSupported;
using emulated_gpu::kSuccess;

constexpr unsigned kMostSurfaces = 64;

/// Calls functions in turn until one fails.
class Sequence {
 public:
  template <class Call>
  Sequence& then(Call call) {
    if (result_ == kSuccess) result_ = call();
    return *this;
  }
  Result result() const { return result_; }

 private:
  Result result_ = kSuccess;
};

void keep_first(Result& first, Result next) {
  if (first == kSuccess) first = next;
}

/// Planes of NV12 with an even height.
Result allocate_nv12(std::size_t width, std::size_t height, DevicePointer* memory,
                     std::size_t* pitch) {
  const std::size_t even = (height + 1) / 2 * 2;
  return cuMemAllocPitch_v2(memory, pitch, width, even + even / 2, 16);
}

Nv12 nv12(DevicePointer memory, std::size_t pitch, int width, int height) {
  return {reinterpret_cast<std::uint8_t*>(memory), pitch, width, height};
}

bool is_supported(const CUVIDDECODECREATEINFO& info) {
  CUVIDDECODECAPS asked{};
  asked.eCodecType = info.CodecType;
  asked.eChromaFormat = info.ChromaFormat;
  asked.nBitDepthMinus8 = static_cast<unsigned>(info.bitDepthMinus8);
  caps(&asked);
  return asked.bIsSupported && info.OutputFormat == cudaVideoSurfaceFormat_NV12 &&
         info.ulWidth >= asked.nMinWidth && info.ulWidth <= asked.nMaxWidth &&
         info.ulHeight >= asked.nMinHeight && info.ulHeight <= asked.nMaxHeight &&
         info.ulWidth * info.ulHeight / 256 <= asked.nMaxMBCount;
}

template <class Info>
bool is_valid(const Info& info) {
  const auto &area = info.display_area, &target = info.target_rect;
  const auto within = [](const auto& a, unsigned long width, unsigned long height) {
    return a.left >= 0 && a.top >= 0 && a.left <= a.right && a.top <= a.bottom &&
           static_cast<unsigned long>(a.right) <= width &&
           static_cast<unsigned long>(a.bottom) <= height;
  };
  return info.ulNumDecodeSurfaces >= 1 && info.ulNumDecodeSurfaces <= kMostSurfaces &&
         within(area, info.ulWidth, info.ulHeight) &&
         within(target, info.ulTargetWidth, info.ulTargetHeight);
}

}  // namespace

void caps(CUVIDDECODECAPS* caps) {
  const bool hevc = caps->eCodecType == cudaVideoCodec_HEVC;
  const bool supported = (hevc || caps->eCodecType == cudaVideoCodec_H264) &&
                         caps->eChromaFormat == cudaVideoChromaFormat_420 &&
                         caps->nBitDepthMinus8 == 0;
  CUVIDDECODECAPS answer{};
  answer.eCodecType = caps->eCodecType;
  answer.eChromaFormat = caps->eChromaFormat;
  answer.nBitDepthMinus8 = caps->nBitDepthMinus8;
  if (supported) {
    answer.bIsSupported = 1;
    answer.nNumNVDECs = 1;
    answer.nOutputFormatMask = 1 << cudaVideoSurfaceFormat_NV12;
    answer.nMaxWidth = answer.nMaxHeight = 4096;
    answer.nMaxMBCount = 65536;
    answer.nMinWidth = hevc ? 144 : 48;
    answer.nMinHeight = hevc ? 144 : 16;
  }
  *caps = answer;
}

Result Decoder::create(const CUVIDDECODECREATEINFO& info, std::shared_ptr<Decoder>* decoder) {
  if (!is_valid(info) || info.ulNumOutputSurfaces < 1 || info.ulNumOutputSurfaces > kMostSurfaces)
    return kInvalidValue;
  if (!is_supported(info)) return kNotSupported;
  void* context = nullptr;
  if (const Result r = cuCtxGetCurrent(&context); r != kSuccess) return r;
  if (!context) return kInvalidContext;
  std::shared_ptr<Decoder> made(new Decoder(info));
  const Result result = Sequence()
                            .then([&] { return made->choose_area(); })
                            .then([&] { return cuStreamCreate(&made->engine_, 1); })
                            .then([&] { return made->allocate(); })
                            .result();
  if (result == kSuccess)
    *decoder = std::move(made);
  else
    made->release();
  return result;
}

Decoder::Decoder(const CUVIDDECODECREATEINFO& info)
    : info_(info),
      syntax_(info.CodecType == cudaVideoCodec_HEVC ? hevc_syntax() : h264_syntax()),
      codec_(info.CodecType) {}
Decoder::~Decoder() = default;

Result Decoder::choose_area() {
  const auto& area = info_.display_area;
  area_ = {area.left, area.top, area.right - area.left, area.bottom - area.top};
  if (area_.width == 0 || area_.height == 0)
    area_ = {0, 0, static_cast<int>(info_.ulWidth), static_cast<int>(info_.ulHeight)};
  const auto& target = info_.target_rect;
  const auto width = static_cast<int>(info_.ulTargetWidth);
  const auto height = static_cast<int>(info_.ulTargetHeight);
  const bool whole =
      target.right == target.left ||
      (target.left == 0 && target.top == 0 && target.right == width && target.bottom == height);
  const bool scaled = area_.width != width || area_.height != height || !whole;
  return scaled ? kNotSupported : kSuccess;
}

Result Decoder::allocate() {
  info_.ulMaxWidth = std::max({info_.ulMaxWidth, info_.ulWidth, info_.ulTargetWidth});
  info_.ulMaxHeight = std::max({info_.ulMaxHeight, info_.ulHeight, info_.ulTargetHeight});
  outputs_.resize(info_.ulNumOutputSurfaces);
  Sequence calls;
  for (Output& o : outputs_)
    calls.then(
        [&] { return allocate_nv12(info_.ulMaxWidth, info_.ulMaxHeight, &o.memory, &o.pitch); });
  return calls.then([&] { return add_surfaces(); }).result();
}

Result Decoder::add_surfaces() {
  Sequence calls;
  while (surfaces_.size() < info_.ulNumDecodeSurfaces && calls.result() == kSuccess) {
    surfaces_.emplace_back();
    Surface& s = surfaces_.back();
    calls
        .then(
            [&] { return allocate_nv12(info_.ulMaxWidth, info_.ulMaxHeight, &s.memory, &s.pitch); })
        .then([&] { return cuEventCreate(&s.decoded, emulated_gpu::kEventDisableTiming); })
        .then([&] { return cuEventCreate(&s.copied, emulated_gpu::kEventDisableTiming); });
  }
  return calls.result();
}

Result Decoder::free_surfaces() {
  Result first = kSuccess;
  for (const Surface& s : surfaces_) {
    if (s.memory) keep_first(first, cuMemFree_v2(s.memory));
    for (void* event : {s.decoded, s.copied})
      if (event) keep_first(first, cuEventDestroy_v2(event));
  }
  for (const Output& o : outputs_)
    if (o.memory) keep_first(first, cuMemFree_v2(o.memory));
  surfaces_.clear();
  outputs_.clear();
  return first;
}

Result Decoder::release() {
  std::lock_guard lock(mutex_);
  Result first = engine_ ? cuStreamDestroy_v2(engine_) : kSuccess;
  engine_ = nullptr;
  keep_first(first, free_surfaces());
  return first;
}

Result Decoder::submit(void* stream, std::function<void()> run) {
  while (!work_.empty() && work_.front()->done) work_.pop_front();
  work_.push_back(std::make_unique<Work>());
  work_.back()->run = std::move(run);
  const auto start = [](void* user) {
    auto& work = *static_cast<Work*>(user);
    work.run();
    work.done = true;
  };
  const Result result = cuLaunchHostFunc(stream, start, work_.back().get());
  if (result != kSuccess) work_.pop_back();
  return result;
}

Result Decoder::decode(const CUVIDPICPARAMS& picture) {
  std::lock_guard lock(mutex_);
  const Syntax::Size size = syntax_->size(picture);
  if (picture.CurrPicIdx < 0 || static_cast<std::size_t>(picture.CurrPicIdx) >= surfaces_.size() ||
      !picture.pBitstreamData || picture.nNumSlices == 0 || !picture.pSliceDataOffsets ||
      static_cast<unsigned long>(size.width) > (info_.ulWidth + 15) / 16 * 16 ||
      static_cast<unsigned long>(size.height) > (info_.ulHeight + 15) / 16 * 16)
    return kInvalidValue;
  if (!syntax_->is_supported(picture)) return kNotSupported;
  Surface& surface = surfaces_[static_cast<std::size_t>(picture.CurrPicIdx)];
  const bool restarts = syntax_->restarts(picture);
  std::string sets = syntax_->parameter_sets(picture);
  std::string data(reinterpret_cast<const char*>(picture.pBitstreamData),
                   picture.nBitstreamDataLen);
  if (sets != parameter_sets_) data = sets + data;
  auto status = std::make_shared<std::atomic<cuvidDecodeStatus>>(cuvidDecodeStatus_InProgress);
  const Nv12 to = nv12(surface.memory, surface.pitch, static_cast<int>(info_.ulWidth) & ~1,
                       static_cast<int>(info_.ulHeight) & ~1);
  const auto work = [this, status, restarts, to, data = std::move(data)] {
    const std::uint64_t traced = emulated_gpu_trace_begin("decoder", "picture");
    if (restarts) codec_.flush();
    *status = codec_.decode(data, to) ? cuvidDecodeStatus_Success : cuvidDecodeStatus_Error;
    emulated_gpu_trace_end(traced);
  };
  const Result result = Sequence()
                            // Another picture in this surface may still be copied.
                            .then([&] { return cuStreamWaitEvent(engine_, surface.copied, 0); })
                            .then([&] { return submit(engine_, work); })
                            .then([&] { return cuEventRecord(surface.decoded, engine_); })
                            .result();
  if (result != kSuccess) return result;
  surface.status = std::move(status);
  parameter_sets_ = std::move(sets);
  return kSuccess;
}

Decoder::Surface* Decoder::decoded_surface(int index) {
  if (index < 0 || static_cast<std::size_t>(index) >= surfaces_.size()) return nullptr;
  Surface& surface = surfaces_[static_cast<std::size_t>(index)];
  return surface.status ? &surface : nullptr;
}

Result Decoder::status(int index, CUVIDGETDECODESTATUS* status) {
  std::lock_guard lock(mutex_);
  *status = {};
  const Surface* surface = decoded_surface(index);
  if (!surface) return kInvalidValue;
  const Result result = cuEventQuery(surface->decoded);
  status->decodeStatus =
      result == kNotReady ? cuvidDecodeStatus_InProgress : surface->status->load();
  return result == kNotReady ? kSuccess : result;
}

Result Decoder::map(int index, const CUVIDPROCPARAMS& params, DevicePointer* address,
                    unsigned* pitch) {
  std::lock_guard lock(mutex_);
  Surface* const surface = decoded_surface(index);
  if (!surface) return kInvalidValue;
  const auto output = std::find_if(outputs_.begin(), outputs_.end(),
                                   [](const Output& each) { return !each.mapped; });
  if (output == outputs_.end()) return kMapFailed;
  const Nv12 from = nv12(surface->memory, surface->pitch, static_cast<int>(info_.ulWidth) & ~1,
                         static_cast<int>(info_.ulHeight) & ~1);
  const Nv12 to = nv12(output->memory, output->pitch, area_.width, (area_.height + 1) / 2 * 2);
  const auto copy = [from, to, area = area_] {
    const auto rows = [&](const std::uint8_t* first, std::uint8_t* out, int count) {
      for (int y = 0; y < count; ++y)
        std::memcpy(out + static_cast<std::size_t>(y) * to.pitch,
                    first + static_cast<std::size_t>(y) * from.pitch + area.left / 2 * 2,
                    static_cast<std::size_t>(area.width));
    };
    rows(from.memory + static_cast<std::size_t>(area.top) * from.pitch, to.memory, area.height);
    rows(from.chroma() + static_cast<std::size_t>(area.top / 2) * from.pitch, to.chroma(),
         (area.height + 1) / 2);
  };
  const Result result =
      Sequence()
          .then([&] { return cuEventSynchronize(surface->decoded); })
          .then([&] { return submit(params.output_stream, copy); })
          .then([&] { return cuEventRecord(surface->copied, params.output_stream); })
          .result();
  if (result != kSuccess) return result;
  output->mapped = true;
  *address = output->memory;
  *pitch = static_cast<unsigned>(output->pitch);
  return kSuccess;
}

Result Decoder::unmap(DevicePointer address) {
  std::lock_guard lock(mutex_);
  for (Output& output : outputs_)
    if (output.mapped && output.memory == address) {
      output.mapped = false;
      return kSuccess;
    }
  return kInvalidValue;
}

Result Decoder::reconfigure(const CUVIDRECONFIGUREDECODERINFO& info) {
  std::lock_guard lock(mutex_);
  if (!is_valid(info) || std::max(info.ulWidth, info.ulTargetWidth) > info_.ulMaxWidth ||
      std::max(info.ulHeight, info.ulTargetHeight) > info_.ulMaxHeight)
    return kInvalidValue;
  info_.ulWidth = info.ulWidth;
  info_.ulHeight = info.ulHeight;
  info_.ulTargetWidth = info.ulTargetWidth;
  info_.ulTargetHeight = info.ulTargetHeight;
  info_.ulNumDecodeSurfaces = info.ulNumDecodeSurfaces;
  const auto copy = [](auto& to, const auto& from) {
    to.left = from.left;
    to.top = from.top;
    to.right = from.right;
    to.bottom = from.bottom;
  };
  copy(info_.display_area, info.display_area);
  copy(info_.target_rect, info.target_rect);
  for (Surface& surface : surfaces_) surface.status = nullptr;
  return Sequence()
      .then([&] { return choose_area(); })
      .then([&] { return add_surfaces(); })
      .result();
}

}  // namespace emulated_nvdec
