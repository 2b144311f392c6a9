// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/analysis/detail.h"

#include "kernels/features/cell_layout.h"
#include "kernels/features/edges.h"
#include "kernels/features/hysteresis.h"
#include "kernels/features/laplacian.h"
#include "kernels/views.h"

namespace mosaic {
namespace {

mt::CellLayout layout_of(const Grid& grid) {
  return {.width = grid.analysed.width,
          .height = grid.analysed.height,
          .left = grid.left(),
          .top = grid.top(),
          .columns = grid.columns,
          .rows = grid.rows,
          .side = grid.side};
}

int round_up(int n, int to) {
  return (n + to - 1) / to * to;
}

size_t area(int width, int height) {
  return static_cast<size_t>(width) * height;
}

}  // namespace

Detail::Detail(const Grid& grid, const std::shared_ptr<mt::Executor>& executor)
    : executor_(executor),
      layout_(layout_of(grid)),
      padded_width_(round_up(layout_.width + 2, 64)),
      any_changed_(executor, 1),
      gray_(executor, grid.resampled() ? area(round_up(layout_.width, 64), layout_.height) : 0),
      smooth_(executor, area(padded_width_, layout_.height)),
      gradients_(executor, area(padded_width_, layout_.height + 2)),
      weak_edges_(executor, area((layout_.width + 31) / 32 + 2, layout_.height)),
      edges_(executor, weak_edges_.size()),
      word_lists_(executor, 3 * area((layout_.width + 31) / 32, layout_.height)),
      listed_(executor, word_lists_.size() / 3),
      parts_(executor, area(layout_.strips(), layout_.columns)),
      cells_(executor, grid.cells()) {}

int Detail::pixels(int cell) const {
  const mt::Span x = layout_.across(cell % layout_.columns),
                 y = layout_.down(cell / layout_.columns);
  return (x.end - x.begin) * (y.end - y.begin);
}

mt::EdgeBits Detail::bits_of(mt::DeviceBuffer<uint32_t>& bits) const {
  return {bits.data(), (layout_.width + 31) / 32};
}

void Detail::enqueue(const mt::Planes& picture, const uint8_t* gray, const uint8_t* changed) {
  const int cells = layout_.columns * layout_.rows;
  executor_->launch(mt::AnyChanged{changed, cells, any_changed_.data()}, 1);
  if (!gray) {
    executor_->launch(mt::ToGray{any_changed_.data(), picture, gray_.data()}, layout_.height);
    gray = gray_.data();
  }
  const mt::GrayView view{
      .data = gray, .stride = picture.stride, .width = layout_.width, .height = layout_.height};
  executor_->launch(mt::GaussianBlur{.any = any_changed_.data(),
                                     .from = view,
                                     .to = smooth_.data(),
                                     .to_stride = padded_width_},
                    layout_.height);
  executor_->launch(mt::LaplacianParts{.any = any_changed_.data(),
                                       .layout = layout_,
                                       .smooth = smooth_.data(),
                                       .stride = padded_width_,
                                       .parts = parts_.data()},
                    layout_.strips());
  find_edges(view);
  executor_->launch(mt::SumDetail{.any = any_changed_.data(),
                                  .layout = layout_,
                                  .edges = bits_of(edges_),
                                  .parts = parts_.data(),
                                  .detail = cells_.device()},
                    cells);
  cells_.fetch(*executor_);
}

void Detail::find_edges(const mt::GrayView& gray) {
  const mt::GradientPlane gradients{gradients_.data(), padded_width_};
  executor_->launch(mt::SobelGradients{any_changed_.data(), gray, gradients}, gray.height);
  executor_->launch(mt::ThinEdges{.any = any_changed_.data(),
                                  .from = gradients,
                                  .width = gray.width,
                                  .weak = bits_of(weak_edges_),
                                  .strong = bits_of(edges_)},
                    gray.height);
  link_edges();
}

void Detail::link_edges() {
  mt::Hysteresis within{};
  within.any = any_changed_.data();
  within.weak = bits_of(weak_edges_);
  within.edges = bits_of(edges_);
  within.height = layout_.height;
  const size_t words = area(within.edges.words, layout_.height);
  uint32_t* lists = word_lists_.data();
  within.scratch = {{lists, lists + words}, lists + 2 * words, listed_.data()};
  mt::Hysteresis across = within;
  across.across = 1;
  constexpr int kRows = mt::Hysteresis::kRows;
  executor_->launch(within, (layout_.height + kRows - 1) / kRows);
  executor_->launch(across, 1);
}

}  // namespace mosaic
