// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/stream/describing.h"

#include <algorithm>
#include <utility>

namespace mosaic::stream {

Describing::Describing(const Grid& grid, std::shared_ptr<mt::Executor> executor)
    : grid_(grid),
      executor_(std::move(executor)),
      drawn_(executor_, grid.cells()),
      paint_(executor_, grid.cells()),
      means_(executor_, grid.cells()),
      pictures_(executor_, grid.cells()) {}

const FrameState& Describing::describe(const mt::Planes& source, const AnalysedCells& cells,
                                       const Frame& frame, const Look& look) {
  const SourceNeeds needs = source_needs(look);
  if (!state_ || state_->source_needs != needs) state_.emplace(grid_.cells(), needs);
  const CellUpdates& updates = frame.updates;
  state_->continuation = frame.continuation;
  state_->blend = frame.blend;
  const bool continues = frame.continuation == Continuation::kContinues;
  for (int i = 0; i < grid_.cells(); ++i)
    state_->cells[i] = {.shown = updates.shown()[i],
                        .tile = frame.tiles[i],
                        .at_once = continues && updates.at_once(i),
                        .in_region = frame.in_region[i] != 0};
  if (needs == SourceNeeds::kNothing || updates.drawn().empty()) return *state_;
  for (const int32_t cell : updates.drawn()) state_->cells[cell].drawn = true;
  if (needs == SourceNeeds::kMeans) describe_means(source, updates);
  if (needs == SourceNeeds::kPicture) describe_pictures(cells, updates);
  return *state_;
}

void Describing::describe_means(const mt::Planes& source, const CellUpdates& updates) {
  const std::span<const int32_t> drawn = updates.drawn();
  for (size_t i = 0; i < drawn.size(); ++i)
    paint_[i] = {.at = grid_.out_rect(drawn[i]), .cell = drawn[i], .tile = 0, .blend = 0};
  executor_->launch(mt::SourceMeans{paint_.data(), source, means_.data()},
                    static_cast<int>(drawn.size()));
  executor_->wait();
  for (const int32_t cell : drawn) to_numbers(means_[cell], state_->numbers_of(cell));
}

void Describing::describe_pictures(const AnalysedCells& cells, const CellUpdates& updates) {
  const std::span<const int32_t> drawn = updates.drawn();
  std::copy(drawn.begin(), drawn.end(), drawn_.data());
  executor_->launch(mt::ShrinkCells{.cells = drawn_.data(),
                                    .pixels = cells.pixels_on_device(),
                                    .side = grid_.side,
                                    .pictures = pictures_.data()},
                    static_cast<int>(drawn.size()));
  executor_->wait();
  for (size_t i = 0; i < drawn.size(); ++i)
    to_numbers(pictures_[i], cells.stats()[drawn[i]], grid_.side * grid_.side,
               updates.source_share(drawn[i]), state_->numbers_of(drawn[i]));
}

}  // namespace mosaic::stream
