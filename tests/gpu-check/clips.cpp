// SPDX-License-Identifier: LGPL-2.1-or-later
#include <xxhash.h>

#include <cstdio>

#include "mosaic/engine/engine.h"
#include "tests/gpu-check/check.h"
#include "tests/gpu-check/pictures.h"
#include "tests/gpu-check/pools.h"

namespace gpu_check {
namespace {

std::string hash_of(const std::vector<uint64_t>& frames) {
  char text[17];
  const uint64_t hash = XXH3_64bits(frames.data(), frames.size() * sizeof(uint64_t));
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

/// A clip whose frames are drawn in place, on the CPU and on the GPU.
class Clip {
 public:
  Clip(const FrameLayout& layout, unsigned tile_size, Pools& pools, Gpu& gpu)
      : grid_(mosaic::choose_grid(layout.width, layout.height, layout.width, layout.height,
                                  tile_size, "700")),
        gpu_(*gpu.executor),
        picture_(layout, pools.executor()),
        on_cpu_(grid_, pools.of(grid_), {}, pools.executor()),
        on_gpu_(grid_, pools.of(grid_), {}, gpu.executor),
        layout_(layout),
        device_(gpu.executor, layout.bytes) {}

  /// Draws frame i on both; returns whether the pictures and the statistics are the same.
  bool next(int i) {
    std::vector<uint8_t> host = picture_.frame(i), found(host.size());
    gpu_.to_device(device_.data(), host.data(), host.size());
    const mt::FrameView there = layout_.view(device_.data()), here = layout_.view(host.data());
    const mosaic::FrameStats& b = on_gpu_.process(there, there, settings_);
    gpu_.to_host(found.data(), device_.data(), found.size());
    gpu_.wait();
    const mosaic::FrameStats& a = on_cpu_.process(here, here, settings_);
    cpu.push_back(XXH3_64bits(host.data(), host.size()));
    device.push_back(XXH3_64bits(found.data(), found.size()));
    keyframes += a.keyframe;
    changed += a.changed;
    return cpu.back() == device.back() && a.keyframe == b.keyframe && a.changed == b.changed &&
           a.repainted == b.repainted && a.cost == b.cost;
  }

  std::vector<uint64_t> cpu, device;  ///< hashes of the frames
  int64_t keyframes = 0, changed = 0;

 private:
  const mosaic::FrameSettings settings_ = usual_settings();
  mosaic::Grid grid_;
  mt::GpuExecutor& gpu_;
  MovingPicture picture_;
  mosaic::Engine on_cpu_, on_gpu_;
  FrameLayout layout_;
  mt::DeviceBuffer<uint8_t> device_;
};

struct Size {
  int width, height;
  unsigned tile_size;
  int first, frames;  ///< of the moving picture, see pictures.h
};

std::vector<Size> sizes(Extent extent) {
  if (extent == Extent::kSanitizer) return {{62, 46, 20, 98, 4}};
  if (extent == Extent::kQuick) return {{320, 180, 20, 96, 8}, {158, 94, 20, 96, 8}};
  return {{1280, 720, 0, 0, MovingPicture::kFrames}, {1918, 1078, 0, 0, MovingPicture::kFrames}};
}

}  // namespace

void compare_clips(Report& report, Gpu& gpu, Extent extent) {
  Table& table = report.add(
      "clips_compared", "Clips: the same frames as on the CPU",
      {"format", "frame", "frames", "keyframes", "changed tiles", "CPU", "GPU", "differing"},
      "Moving pictures made of the built-in tiles, in place; XXH3 of the hashes of all frames.");
  Pools pools;
  for (const Size& s : sizes(extent))
    for (const char* format : {"NV12", "I420", "RGBA", "BGR"}) {
      if (extent == Extent::kSanitizer && format != std::string("NV12")) continue;
      const std::string size = std::to_string(s.width) + "x" + std::to_string(s.height);
      Clip clip(FrameLayout(format, s.width, s.height), s.tile_size, pools, gpu);
      int64_t differing = 0;
      for (int i = 0; i < s.frames; ++i) {
        if (clip.next(s.first + i)) continue;
        if (differing++ == 0)
          report.fail("clip " + std::string(format) + " " + size + " differs from frame " +
                      std::to_string(i) + " on");
      }
      table.rows.push_back({format, size, int64_t{s.frames}, clip.keyframes, clip.changed,
                            hash_of(clip.cpu), hash_of(clip.device), differing});
    }
}

}  // namespace gpu_check
