// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/stream/stream_writer.h"

#include <algorithm>

namespace mosaic::stream {
namespace {

/// Frames without a time have a keyframe as often.
constexpr int kMostWithoutKey = 250;

}  // namespace

bool StreamWriter::write(const StreamHeader& header, const FrameState& frame, const Timing& timing,
                         bool key, std::vector<uint8_t>& to) {
  const bool new_header = !coding_ || !(header == header_);
  if (new_header) {
    header_ = header;
    coding_ = std::make_unique<FrameCoding>(header);
  }
  const uint64_t time = timing.time;
  const bool cut =
      frame.continuation == Continuation::kStart || frame.continuation == Continuation::kCut;
  const bool timed = time != kNoTime && last_key_ != kNoTime;
  const bool late = timed ? time < last_key_ || time - last_key_ >= timing.key_interval
                          : frames_since_key_ >= kMostWithoutKey;
  key = key || new_header || cut || late;
  payload_.clear();
  if (key) append_header(payload_, header_);
  coding_->encode(frame, key, payload_);
  ++frames_since_key_;
  if (key) {
    last_key_ = time;
    frames_since_key_ = 0;
    const bool later = index_.entries.empty() || time > index_.entries.back().time;
    if (time != kNoTime && later && index_.entries.size() < kMostIndexEntries)
      index_.entries.push_back({time, bytes_});
  }
  append(key ? PacketKind::kKey : PacketKind::kDelta, timing, to);
  return key;
}

void StreamWriter::repeat(const Timing& timing, std::vector<uint8_t>& to) {
  payload_.clear();
  ++frames_since_key_;
  append(PacketKind::kRepeat, timing, to);
}

void StreamWriter::append(PacketKind kind, const Timing& timing, std::vector<uint8_t>& to) {
  const size_t before = to.size();
  append_packet(to, kind, kind == PacketKind::kIndex ? 0 : number_++, timing.time, payload_);
  bytes_ += to.size() - before;
  if (timing.time == kNoTime) return;
  const uint64_t duration = timing.duration == kNoTime ? 0 : timing.duration;
  index_.end = std::max(index_.end, timing.time + duration);
}

void StreamWriter::finish(std::vector<uint8_t>& to) {
  payload_ = index_payload(index_);
  append(PacketKind::kIndex, {kNoTime, kNoTime, kNoTime}, to);
}

}  // namespace mosaic::stream
