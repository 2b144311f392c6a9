// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/gpu-check/pictures.h"

#include <algorithm>

#include "kernels/all/kernels.h"

namespace gpu_check {
namespace {

constexpr int kStill = 60, kMovesAgain = 75, kCut = 100;

/// A triangle wave between 0 and 255 with period 512.
int wave(int v) {
  const int at = v & 511;
  return at < 256 ? at : 511 - at;
}

}  // namespace

FrameLayout::FrameLayout(const char* format, int width, int height, int alignment)
    : layout(test::layout_of(format)), width(width), height(height) {
  const int step = layout.kind == mt::PixelKind::kRgb ? layout.component[0].step : 1;
  stride = ((width + 1) * step + alignment - 1) / alignment * alignment;
  plane_bytes = static_cast<size_t>(stride) * static_cast<size_t>(height);
  bytes = plane_bytes * static_cast<size_t>(layout.planes());
}

MovingPicture::MovingPicture(const FrameLayout& layout, std::shared_ptr<mt::Executor> cpu)
    : layout_(layout),
      cpu_(std::move(cpu)),
      picture_(layout.width, layout.height, cpu_),
      bytes_(layout.bytes) {
  for (size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = static_cast<uint8_t>(i * 7);
}

void MovingPicture::paint_rows(int frame, int begin, int end) {
  const int t = frame < kStill        ? frame
                : frame < kMovesAgain ? kStill
                                      : frame - kMovesAgain + kStill;
  const bool second = frame >= kCut;
  const mt::Planes p = picture_.planes();
  const int scale = 1280 * 256 / std::max(p.width, 64);  // the same picture at every size
  const int cx = p.width / 4 + p.width * t / 300, cy = p.height / 2, radius = p.height / 5;
  for (int y = begin; y < end; ++y)
    for (int x = 0; x < p.width; ++x) {
      const int u = (x * scale >> 8) + 4 * t, v = y * scale >> 8;
      const bool disc = (x - cx) * (x - cx) + (y - cy) * (y - cy) < radius * radius;
      const int fine = wave((u * 5 + v * 3) * 4) / 8;
      const int colour[3] = {disc ? 220 : wave(u + v / 2) * 3 / 4 + fine,
                             disc ? wave(v * 2) : wave(second ? v : u / 2 + v + 90) * 3 / 4 + fine,
                             disc ? 30 : wave(second ? 2 * v + 300 : v - u / 3 + 200) / 2 + fine};
      for (int i = 0; i < 3; ++i)
        p.plane[i][static_cast<ptrdiff_t>(y) * p.stride + x] = static_cast<uint8_t>(colour[i]);
    }
}

const std::vector<uint8_t>& MovingPicture::frame(int i) {
  cpu_->workers().run(layout_.height, 16,
                      [&](int, int begin, int end) { paint_rows(i, begin, end); });
  mt::Pack pack{};
  pack.from = picture_.planes();
  pack.to = layout_.view(bytes_.data());
  cpu_->launch(pack, (layout_.height + mt::Pack::kRows - 1) / mt::Pack::kRows);
  cpu_->wait();
  return bytes_;
}

}  // namespace gpu_check
