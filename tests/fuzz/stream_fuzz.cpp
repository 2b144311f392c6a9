// SPDX-License-Identifier: LGPL-2.1-or-later
// The input is a sequence of frames: two bytes with the length of each, and whether it is a
// keyframe, then its payload. They become packets with right numbers, checksums, and the hash of a
// pack that exists. What could be read of them is drawn at the end, also after a frame that could
// not: small and once, because drawing takes far more time than reading.
#include <atomic>
#include <cstdlib>
#include <memory>
#include <vector>

#include "cpu/cpu_executor.h"
#include "mosaic/base/bytes.h"
#include "mosaic/base/error.h"
#include "mosaic/pack/pack_photos.h"
#include "mosaic/pack/pack_writer.h"
#include "mosaic/render/renderer.h"
#include "mosaic/stream/stream_reader.h"
#include "tests/fuzz/input_file.h"

namespace {

using namespace mosaic::stream;
using Bytes = std::vector<uint8_t>;
constexpr size_t kHashAt = 36, kCountAt = 52, kPrefix = 2;
constexpr int kPhotos = 3;

/// A pack of pictures of one colour.
std::shared_ptr<const mosaic::pack::PackPhotos> photos() {
  static const std::atomic<bool> cancelled = false;
  static const fuzz::InputFile file("all.mospack");
  static const auto all = [] {
    mosaic::pack::PackWriter writer(file.path(), {}, 0);
    for (int i = 0; i < kPhotos; ++i) {
      mosaic::pack::PackedPhoto photo;
      photo.name = std::to_string(i);
      for (int level = 0; level < mosaic::pack::kRawLevels; ++level)
        photo.levels[level].assign(mosaic::pack::raw_bytes(mosaic::pack::kRawSides[level]),
                                   static_cast<uint8_t>(40 * i));
      writer.add(photo);
    }
    writer.finish();
    return std::make_shared<const mosaic::pack::PackPhotos>(file.path(), 0, cancelled);
  }();
  return all;
}

/// Makes a keyframe name the pack that there is.
void name_pack(Bytes& payload) {
  Bytes named;
  mosaic::append(named, photos()->pack().hash().low, 8);
  mosaic::append(named, photos()->pack().hash().high, 8);
  mosaic::append(named, kPhotos, 4);
  static_assert(kHashAt + 16 == kCountAt);
  if (payload.size() >= kHashAt + named.size())
    std::copy(named.begin(), named.end(), payload.begin() + kHashAt);
}

void draw(mosaic::Renderer& renderer, mt::Executor& executor) {
  constexpr int kWidth = 20, kHeight = 12;
  static Bytes pixels(size_t{3} * kWidth * kHeight);
  mt::FrameView out;
  out.width = kWidth;
  out.height = kHeight;
  for (int i = 0; i < 3; ++i) out.component[i] = {pixels.data() + i, 3 * kWidth, 3, 0, 0};
  try {
    renderer.draw({.width = kWidth, .height = kHeight}, out);
    executor.wait();
  } catch (const mosaic::Error& error) {
    // A grid may be too fine for the picture.
    if (error.kind() != mosaic::Error::Kind::kSettings) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::shared_ptr<mt::Executor> executor = mt::make_cpu_executor(1);
  StreamReader reader;
  std::unique_ptr<mosaic::Renderer> renderer;
  unsigned headers = 0;
  uint16_t number = 0;
  for (size_t at = 0; at + kPrefix <= size; ++number) {
    const bool key = data[at + 1] & 0x80;
    const size_t bytes =
        std::min<size_t>(data[at] | (data[at + 1] & 0x7f) << 8, size - at - kPrefix);
    at += kPrefix;
    Bytes payload(data + at, data + at + bytes), packet;
    at += bytes;
    if (key) name_pack(payload);
    append_packet(packet, key ? PacketKind::kKey : PacketKind::kDelta, number, 0, payload);
    try {
      if (reader.read(packet) != StreamReader::Result::kFrame) continue;
      if (!renderer || headers != reader.headers())
        renderer =
            std::make_unique<mosaic::Renderer>(reader.header(), photos(), executor, executor);
      renderer->update(reader.frame(), headers != reader.headers() || reader.joined());
      headers = reader.headers();
    } catch (const mosaic::Error& error) {
      if (error.kind() != mosaic::Error::Kind::kRead) std::abort();
    }
  }
  if (renderer) draw(*renderer, *executor);
  return 0;
}
