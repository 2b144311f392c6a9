// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libnvidia-encode/session.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "tests/emulated-gpu/libcuda/control.h"
#include "tests/emulated-gpu/libcuda/driver.h"
#include "tests/emulated-gpu/libnvidia-encode/capabilities.h"
#include "tests/emulated-gpu/libnvidia-encode/control.h"

// Functions of the emulated driver.
extern "C" {
emulated_gpu::Result cuCtxPushCurrent_v2(void* context);
emulated_gpu::Result cuCtxPopCurrent_v2(void** context);
emulated_gpu::Result cuStreamSynchronize(void* stream);
}

namespace emulated_nvenc {
namespace {

std::atomic<std::uint64_t> abandoned{0}, pictures{0};

bool listed(const GUID& guid, std::span<const GUID> list) {
  return std::any_of(list.begin(), list.end(), [&](const GUID& each) { return same(each, guid); });
}

/// The settings that the parameters stand for. A configuration that is missing is the preset's.
Settings settings_of(const NV_ENC_INITIALIZE_PARAMS& init) {
  Settings settings;
  settings.init = init;
  settings.config =
      init.encodeConfig ? *init.encodeConfig : preset_config(init.presetGUID, init.tuningInfo);
  settings.init.encodeConfig = nullptr;
  return settings;
}

}  // namespace

emulated_gpu::Handles<Session>& sessions() {
  return emulated_gpu::immortal<emulated_gpu::Handles<Session>>();
}

bool destroy_session(const void* handle) {
  const auto session = sessions().remove(handle);
  if (!session) return false;
  std::lock_guard lock(session->mutex);
  abandoned += session->resources.size() + session->inputs.size() + session->outputs.size();
  session->close();
  return true;
}

NVENCSTATUS Session::fail(NVENCSTATUS status, const std::string& why) {
  last_error = why;
  return status;
}

NVENCSTATUS Session::check(const Settings& settings) {
  const NV_ENC_INITIALIZE_PARAMS& init = settings.init;
  const NV_ENC_CONFIG& config = settings.config;
  if (!listed(init.encodeGUID, codecs()))
    return fail(NV_ENC_ERR_UNSUPPORTED_PARAM, "only H.264 is emulated");
  if (!listed(init.presetGUID, presets()) || !listed(config.profileGUID, profiles()))
    return fail(NV_ENC_ERR_UNSUPPORTED_PARAM, "unknown preset or profile");
  if (static_cast<int>(init.encodeWidth) < kMinWidth || init.encodeWidth > kMaxSize ||
      static_cast<int>(init.encodeHeight) < kMinHeight || init.encodeHeight > kMaxSize)
    return fail(NV_ENC_ERR_INVALID_PARAM, "the size is out of range");
  if (settings.subsampled() && (init.encodeWidth % 2 != 0 || init.encodeHeight % 2 != 0))
    return fail(NV_ENC_ERR_INVALID_PARAM, "the size is odd");
  if (config.version != NV_ENC_CONFIG_VER)
    return fail(NV_ENC_ERR_INVALID_VERSION, "version of the configuration");
  if (!init.enablePTD || init.enableEncodeAsync || init.enableOutputInVidmem ||
      init.enableMEOnlyMode || init.enableWeightedPrediction)
    return fail(NV_ENC_ERR_UNSUPPORTED_PARAM, "a mode that is not emulated");
  if (config.frameFieldMode > NV_ENC_PARAMS_FRAME_FIELD_MODE_FRAME)
    return fail(NV_ENC_ERR_UNSUPPORTED_PARAM, "interlaced video is not emulated");
  if (config.gopLength == 0 || config.frameIntervalP < 0 ||
      config.frameIntervalP > kMaxBFrames + 1 ||
      (config.gopLength == NVENC_INFINITE_GOPLENGTH && config.frameIntervalP > 1))
    return fail(NV_ENC_ERR_INVALID_PARAM, "pattern of the GOP");
  if (settings.interval() > 1 && same(config.profileGUID, NV_ENC_H264_PROFILE_BASELINE_GUID))
    return fail(NV_ENC_ERR_INVALID_PARAM, "the baseline profile has no B-frames");
  return NV_ENC_SUCCESS;
}

NVENCSTATUS Session::start(const Settings& settings) {
  if (!encoder_.open(settings)) return fail(NV_ENC_ERR_INVALID_PARAM, encoder_.error());
  settings_ = settings;
  order_.emplace(settings.interval(), settings.gop(), settings.lookahead());
  ended_ = false;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS Session::initialise(const NV_ENC_INITIALIZE_PARAMS& init) {
  if (settings_) return fail(NV_ENC_ERR_INVALID_CALL, "the encoder is initialised");
  Settings settings = settings_of(init);
  settings.init.maxEncodeWidth = std::max(init.maxEncodeWidth, init.encodeWidth);
  settings.init.maxEncodeHeight = std::max(init.maxEncodeHeight, init.encodeHeight);
  if (const NVENCSTATUS status = check(settings); status != NV_ENC_SUCCESS) return status;
  return start(settings);
}

NVENCSTATUS Session::reconfigure(const NV_ENC_RECONFIGURE_PARAMS& change) {
  if (!settings_) return NV_ENC_ERR_ENCODER_NOT_INITIALIZED;
  Settings settings = settings_of(change.reInitEncodeParams);
  const NV_ENC_INITIALIZE_PARAMS& old = settings_->init;
  settings.init.maxEncodeWidth = old.maxEncodeWidth;
  settings.init.maxEncodeHeight = old.maxEncodeHeight;
  if (const NVENCSTATUS status = check(settings); status != NV_ENC_SUCCESS) return status;
  if (settings.init.encodeWidth > old.maxEncodeWidth ||
      settings.init.encodeHeight > old.maxEncodeHeight)
    return fail(NV_ENC_ERR_INVALID_PARAM, "larger than the largest size");
  if (settings.gop() != settings_->gop() || settings.interval() != settings_->interval() ||
      settings.lookahead() != settings_->lookahead())
    return fail(NV_ENC_ERR_INVALID_PARAM, "the structure of the GOP cannot change");
  const bool same_size = settings.init.encodeWidth == old.encodeWidth &&
                         settings.init.encodeHeight == old.encodeHeight;
  if (same_size && !ended_ && !change.resetEncoder && !change.forceIDR) {
    if (!encoder_.change(settings)) return fail(NV_ENC_ERR_INVALID_PARAM, encoder_.error());
    settings_ = settings;
    return NV_ENC_SUCCESS;
  }
  if (const NVENCSTATUS status = drain(); status != NV_ENC_SUCCESS) return status;
  return start(settings);
}

NVENCSTATUS Session::read(const Input& input, std::vector<std::uint8_t>* bytes) {
  if (!input.device) {
    *bytes = input.host;
    return NV_ENC_SUCCESS;
  }
  if (cuCtxPushCurrent_v2(context_) != emulated_gpu::kSuccess)
    return fail(NV_ENC_ERR_GENERIC, "cuCtxPushCurrent failed");
  const bool done = cuStreamSynchronize(stream_) == emulated_gpu::kSuccess;
  const bool popped = cuCtxPopCurrent_v2(nullptr) == emulated_gpu::kSuccess;
  if (!done || !popped) return fail(NV_ENC_ERR_GENERIC, "work on the picture failed");
  bytes->resize(input.layout.bytes());
  if (!emulated_gpu_peek(bytes->data(), input.device, bytes->size()))
    return fail(NV_ENC_ERR_MAP_FAILED, "the picture is not within an allocation");
  return NV_ENC_SUCCESS;
}

NVENCSTATUS Session::encode(const NV_ENC_PIC_PARAMS& what) {
  if (!settings_) return NV_ENC_ERR_ENCODER_NOT_INITIALIZED;
  const auto input = inputs.find(what.inputBuffer);
  const auto output = outputs.find(what.outputBitstream);
  if (!input || !output) return fail(NV_ENC_ERR_INVALID_PARAM, "no such input or output");
  if (output->state != Output::kIdle || output->locked || input->locked)
    return fail(NV_ENC_ERR_INVALID_CALL, "the input or output is in use");
  if (what.pictureStruct != NV_ENC_PIC_STRUCT_FRAME)
    return fail(NV_ENC_ERR_UNSUPPORTED_PARAM, "interlaced video is not emulated");
  const NV_ENC_INITIALIZE_PARAMS& init = settings_->init;
  const Layout& layout = input->layout;
  if (layout.width < init.encodeWidth || layout.height < init.encodeHeight ||
      layout.subsampled() != settings_->subsampled())
    return fail(NV_ENC_ERR_INVALID_PARAM, "the picture has another size or chroma format");

  std::vector<std::uint8_t> bytes;
  if (const NVENCSTATUS status = read(*input, &bytes); status != NV_ENC_SUCCESS) return status;
  if (ended_)
    if (const NVENCSTATUS status = start(*settings_); status != NV_ENC_SUCCESS) return status;
  const bool idr = what.encodePicFlags & (NV_ENC_PIC_FLAG_FORCEIDR | NV_ENC_PIC_FLAG_FORCEINTRA);
  const std::uint64_t number = numbers_++;
  std::vector<Packet> ready;
  const Picture picture(std::move(bytes), layout, init.encodeWidth, init.encodeHeight);
  const std::uint64_t traced = emulated_gpu_trace_begin("encoder", "picture");
  const bool encoded = encoder_.encode(picture, number, idr, &ready);
  emulated_gpu_trace_end(traced);
  if (!encoded) return fail(NV_ENC_ERR_GENERIC, encoder_.error());

  ++pictures;
  given_[number] = {what.inputTimeStamp, what.inputDuration, what.frameIdx};
  output->state = Output::kAwaited;
  output->allowed = false;
  awaited_.push_back(output);
  held_.push_back(output);
  fill(std::move(ready));
  const std::uint64_t more = order_->submit(idr);
  allow(more);
  return more > 0 ? NV_ENC_SUCCESS : NV_ENC_ERR_NEED_MORE_INPUT;
}

void Session::fill(std::vector<Packet> packets) {
  for (Packet& packet : packets) {
    const auto given = given_.find(packet.number);
    const std::shared_ptr<Output> output = std::move(awaited_.front());
    awaited_.pop_front();
    output->timestamp = given->second.timestamp;
    output->duration = given->second.duration;
    output->index = given->second.index;
    output->packet = std::move(packet);
    output->state = Output::kFilled;
    given_.erase(given);
  }
  if (!packets.empty()) filled_.notify_all();
}

void Session::allow(std::uint64_t count) {
  for (; count > 0 && !held_.empty(); --count) {
    held_.front()->allowed = true;
    held_.pop_front();
  }
}

NVENCSTATUS Session::drain() {
  std::vector<Packet> ready;
  if (!ended_ && !encoder_.finish(&ready)) return fail(NV_ENC_ERR_GENERIC, encoder_.error());
  ended_ = true;
  fill(std::move(ready));
  allow(order_->finish());
  return NV_ENC_SUCCESS;
}

NVENCSTATUS Session::finish() {
  if (!settings_) return NV_ENC_ERR_ENCODER_NOT_INITIALIZED;
  return drain();
}

NVENCSTATUS Session::lock_output(std::unique_lock<std::mutex>& lock, NV_ENC_LOCK_BITSTREAM* what) {
  const auto output = outputs.find(what->outputBitstream);
  if (!output || output->state == Output::kIdle || !output->allowed || output->locked)
    return fail(NV_ENC_ERR_INVALID_PARAM, "the output cannot be locked now");
  if (output->state != Output::kFilled && what->doNotWait) return NV_ENC_ERR_LOCK_BUSY;
  const std::uint64_t traced = emulated_gpu_trace_begin(nullptr, "NvEncLockBitstream");
  filled_.wait(lock, [&] { return closed_ || output->state != Output::kAwaited; });
  emulated_gpu_trace_end(traced);
  if (output->state != Output::kFilled)
    return fail(NV_ENC_ERR_INVALID_CALL, "the output was destroyed");
  output->locked = true;
  what->frameIdx = output->index;
  what->numSlices = 1;
  what->bitstreamBufferPtr = output->packet.bytes.data();
  what->bitstreamSizeInBytes = static_cast<std::uint32_t>(output->packet.bytes.size());
  what->outputTimeStamp = output->timestamp;
  what->outputDuration = output->duration;
  what->pictureType = output->packet.type;
  what->pictureStruct = NV_ENC_PIC_STRUCT_FRAME;
  what->frameAvgQP = static_cast<std::uint32_t>(std::max(0, output->packet.qp));
  return NV_ENC_SUCCESS;
}

NVENCSTATUS Session::unlock_output(void* handle) {
  const auto output = outputs.find(handle);
  if (!output || !output->locked) return fail(NV_ENC_ERR_INVALID_PARAM, "no locked output");
  output->locked = false;
  output->state = Output::kIdle;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS Session::destroy_output(void* handle) {
  const auto output = outputs.remove(handle);
  if (!output) return fail(NV_ENC_ERR_INVALID_PARAM, "no such output");
  // One that is awaited keeps its place in the order.
  if (output->state == Output::kFilled) output->state = Output::kIdle;
  return NV_ENC_SUCCESS;
}

NVENCSTATUS Session::sequence_parameters(NV_ENC_SEQUENCE_PARAM_PAYLOAD* what) {
  if (!settings_) return NV_ENC_ERR_ENCODER_NOT_INITIALIZED;
  if (!what->spsppsBuffer || !what->outSPSPPSPayloadSize) return NV_ENC_ERR_INVALID_PTR;
  const std::vector<std::uint8_t> headers = encoder_.headers();
  if (headers.size() > what->inBufferSize) return NV_ENC_ERR_NOT_ENOUGH_BUFFER;
  std::memcpy(what->spsppsBuffer, headers.data(), headers.size());
  *what->outSPSPPSPayloadSize = static_cast<std::uint32_t>(headers.size());
  return NV_ENC_SUCCESS;
}

void Session::close() {
  closed_ = true;
  filled_.notify_all();
}

}  // namespace emulated_nvenc

void emulated_nvenc_counts(EmulatedNvencCounts* counts) {
  *counts = {0, 0, 0, 0, emulated_nvenc::abandoned, emulated_nvenc::pictures};
  for (const auto& session : emulated_nvenc::sessions().all()) {
    ++counts->sessions;
    counts->resources += session->resources.size();
    counts->inputs += session->inputs.size();
    counts->outputs += session->outputs.size();
  }
}
