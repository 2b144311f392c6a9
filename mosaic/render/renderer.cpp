// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/render/renderer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "mosaic/base/error.h"
#include "mosaic/base/memory_limit.h"
#include "mosaic/drawing/finishing.h"
#include "mosaic/engine/copy_frame.h"

namespace mosaic {
namespace {

void check_photos(const stream::StreamHeader& header, const pack::Pack& pack) {
  if (pack.hash() == header.photos && pack.count() == static_cast<int>(header.photo_count)) return;
  throw Error(Error::Kind::kSettings,
              "the mosaic is made of the pack " + header.photos.text() + ", and this one is " +
                  pack.hash().text(),
              "use a copy of the pack with which the mosaic was made");
}

/// Whether the picture of a cell depends on more than the cell.
bool needs_whole(const Look& look) {
  return look.laplacian_blend || Finishing::wanted(look);
}

/// Photos are squares on the display: where the picture has quite another shape than the video had,
/// they would be far larger than the picture.
void check_shape(const Grid& grid) {
  const int64_t photo = int64_t{grid.draw_size.width} * grid.draw_size.height;
  const int64_t picture = int64_t{grid.out_width} * grid.out_height;
  constexpr int64_t kMostTimes = 64, kSmall = 1 << 16;
  if (photo > kMostTimes * picture + kSmall)
    throw Error(Error::Kind::kSettings, "the picture has quite another shape than the mosaic",
                "draw it in about the shape of the video that it was made of");
}

/// How large the whole mosaic is where a part of it takes `shown` pixels.
int whole_size(int shown, double part) {
  const double whole = std::round(shown / std::clamp(part, 1e-6, 1.0));
  return static_cast<int>(std::min(whole, 1e9));
}

int begin_of_part(double begin, int whole, int shown) {
  return std::clamp(static_cast<int>(std::lround(begin * whole)), 0, whole - shown);
}

/// The cells of which a part lies in a rectangle of the whole mosaic.
std::vector<int32_t> cells_in(const Grid& whole, const mt::CellRect& part) {
  std::vector<int32_t> cells;
  for (int cell = 0; cell < whole.cells(); ++cell) {
    const mt::CellRect at = whole.out_rect(cell);
    if (at.x < part.x + part.width && at.x + at.width > part.x && at.y < part.y + part.height &&
        at.y + at.height > part.y)
      cells.push_back(cell);
  }
  return cells;
}

/// What the finishing of a rectangle looks at: its filters reach as far.
mt::CellRect with_margin(const mt::CellRect& part, mt::PixelSize whole) {
  constexpr int kReach = 64;
  const int left = std::max(part.x - kReach, 0), top = std::max(part.y - kReach, 0);
  const int right = std::min(part.x + part.width + kReach, whole.width);
  const int bottom = std::min(part.y + part.height + kReach, whole.height);
  return {left, top, right - left, bottom - top};
}

/// The rectangle that cells cover, within the whole mosaic.
mt::CellRect around(const Grid& grid, const std::vector<int32_t>& cells, const mt::CellRect& part,
                    mt::PixelSize whole) {
  int left = part.x, top = part.y, right = part.x + part.width, bottom = part.y + part.height;
  for (const int32_t cell : cells) {
    const mt::CellRect at = grid.out_rect(cell);
    left = std::min(left, std::max(at.x, 0)), right = std::max(right, at.x + at.width);
    top = std::min(top, std::max(at.y, 0)), bottom = std::max(bottom, at.y + at.height);
  }
  right = std::min(right, whole.width), bottom = std::min(bottom, whole.height);
  return {left, top, right - left, bottom - top};
}

}  // namespace

Renderer::Canvas::Canvas(const Grid& g, std::vector<int32_t> shown,
                         const std::shared_ptr<mt::Executor>& executor)
    : grid(g),
      cells(std::move(shown)),
      drawing(g, executor),
      output(g, executor),
      source(g.out_width, g.out_height, executor) {}

Renderer::Renderer(const stream::StreamHeader& header,
                   std::shared_ptr<const pack::PackPhotos> photos,
                   std::shared_ptr<mt::Executor> executor, std::shared_ptr<mt::Executor> host,
                   int64_t most_finished)
    : header_(header),
      needs_(stream::source_needs(header.look)),
      photos_((check_photos(header, photos->pack()), std::move(photos))),
      executor_(executor),
      cells_(header.grid(header.width, header.height).cells()),
      side_(header.grid(header.width, header.height).side),
      updates_(cells_),
      changed_(cells_),
      drawn_(cells_),
      is_wanted_(photos_->count()),
      in_region_(cells_),
      numbers_(static_cast<size_t>(cells_) * stream::count_of(needs_)),
      means_(executor, needs_ == stream::SourceNeeds::kMeans ? cells_ : 0),
      pictures_(executor, needs_ == stream::SourceNeeds::kPicture ? cells_ : 0),
      stats_(executor, cells_),
      variants_(mt::tile_variants(header.augment, header.color_variants)),
      host_(std::move(host)),
      most_finished_(most_finished),
      tiles_(photos_, side_, header.cell, variants_, executor, host_) {}

/// Takes up what the frames told of a cell's source.
void Renderer::take_source(int cell) {
  const int32_t* numbers = numbers_of(cell);
  if (needs_ == stream::SourceNeeds::kMeans) means_[cell] = stream::means_of(numbers);
  if (needs_ != stream::SourceNeeds::kPicture) return;
  pictures_[cell] = stream::picture_of(numbers);
  stats_[cell] = stream::stats_of(numbers, pictures_[cell], side_ * side_);
}

int32_t* Renderer::numbers_of(int cell) {
  return numbers_.data() + static_cast<size_t>(cell) * stream::count_of(needs_);
}

void Renderer::update(const stream::FrameState& frame, bool joined) {
  const bool continues = frame.continuation == Continuation::kContinues;
  updates_.begin(frame.blend > 0);
  for (int i = 0; i < cells_; ++i) {
    const stream::FrameState::Cell& cell = frame.cells[i];
    const bool draws = joined || cell.drawn;
    const float share =
        needs_ == stream::SourceNeeds::kPicture ? stream::share_of(frame.numbers_of(i)) : 0.0f;
    updates_.add(i, {.tile = cell.tile,
                     .fade_frames = continues && !cell.at_once ? frame.blend : 0,
                     .redraw = draws,
                     .source_share = share});
    if (joined) updates_.join(i, cell.shown);
    in_region_[i] = cell.in_region;
    if (draws) std::copy_n(frame.numbers_of(i), stream::count_of(needs_), numbers_of(i));
  }
  for (const int32_t cell : updates_.changed()) changed_[cell] = 1;
  for (const int32_t cell : updates_.drawn()) drawn_[cell] = 1;
  if (joined)
    continuation_ = Continuation::kStart;
  else if (!continues && continuation_ == Continuation::kContinues)
    continuation_ = frame.continuation;
}

/// Chooses the cells and the canvas for a view. The canvas holds whole cells, because the colours
/// of a cell are corrected by the mean of all of it.
void Renderer::set_view(const RenderView& view) {
  if (canvas_ && view == view_) return;
  const mt::PixelSize size(whole_size(view.width, view.part_width),
                           whole_size(view.height, view.part_height));
  Grid grid = header_.grid(size.width, size.height);
  const int x = begin_of_part(view.x, size.width, view.width);
  const int y = begin_of_part(view.y, size.height, view.height);
  const bool is_large = int64_t{size.width} * size.height > most_finished_;
  const bool takes_whole = needs_whole(header_.look) && !is_large;
  const bool takes_statistics = needs_whole(header_.look) && is_large;
  mt::CellRect part{x, y, view.width, view.height};
  if (takes_whole) part = {0, 0, size.width, size.height};
  if (takes_statistics) part = with_margin(part, size);
  std::vector<int32_t> cells = cells_in(grid, part);
  if (!takes_whole) part = around(grid, cells, part, size);
  grid.whole_width = size.width, grid.whole_height = size.height;
  grid.part_x = part.x, grid.part_y = part.y;
  grid.in_width = grid.out_width = part.width;
  grid.in_height = grid.out_height = part.height;
  check_shape(grid);
  constexpr uint64_t kPictures = 8;  // that drawing and finishing keep
  check_memory(
      kPictures * 3 * grid.out_width * static_cast<uint64_t>(grid.out_height),
      "a mosaic of " + std::to_string(size.width) + "x" + std::to_string(size.height) + " pixels",
      "show a smaller picture, or a larger part of the mosaic");
  canvas_.reset();  // its memory is used for the next one
  canvas_.emplace(grid, std::move(cells), executor_);
  view_ = view;
  shown_x_ = x - part.x;
  shown_y_ = y - part.y;
  if (!takes_statistics)
    whole_.reset();
  else if (!whole_)
    make_whole();
}

/// Makes the canvas of the whole mosaic, which finishing measures: about as large as a screen.
void Renderer::make_whole() {
  constexpr double kPixels = 1920.0 * 1080;
  const double times = std::sqrt(kPixels / (double{1} * header_.width * header_.height));
  const auto side = [times](int video, int cells) {
    return std::max(static_cast<int>(std::lround(video * times)), cells);
  };
  const Grid full = header_.grid(header_.width, header_.height);
  const int width = side(header_.width, full.columns), height = side(header_.height, full.rows);
  const Grid grid = header_.grid(width, height);
  whole_.emplace(grid, cells_in(grid, {0, 0, width, height}), executor_);
  if (!whole_tiles_)
    whole_tiles_.emplace(photos_, side_, header_.cell, variants_, executor_, host_);
}

/// Has the photos ready that the cells of a canvas show.
void Renderer::prepare_tiles(const Canvas& canvas, TileCache& tiles) {
  wanted_.clear();
  const auto want = [&](int32_t tile) {
    const int32_t photo = tile % photos_->count();
    if (tile < 0 || is_wanted_[photo]) return;
    is_wanted_[photo] = 1;
    wanted_.push_back(photo);
  };
  for (const int32_t cell : canvas.cells) {
    want(updates_.shown()[cell].tile);
    want(updates_.shown()[cell].old_tile);
  }
  for (const int32_t photo : wanted_) is_wanted_[photo] = 0;
  const int count = static_cast<int>(canvas.cells.size());
  tiles.prepare(wanted_, canvas.grid.draw_size, count + count / 4 + 8,
                draw_look(header_.look).transfer.kind != mt::Transfer::kNone);
}

/// Draws what has changed on a canvas, and finishes it.
void Renderer::paint(Canvas& canvas, TileCache& tiles, const OutputStages::Part* of) {
  prepare_tiles(canvas, tiles);
  canvas.changed.clear();
  canvas.drawn.clear();
  for (const int32_t cell : canvas.cells) {
    if (canvas.redraw || changed_[cell]) canvas.changed.push_back(cell);
    if (canvas.redraw || drawn_[cell]) canvas.drawn.push_back(cell);
  }
  for (const int32_t cell : canvas.drawn) take_source(cell);
  const CellChanges all = updates_.changes();
  const CellChanges changes{.changed = canvas.changed,
                            .drawn = canvas.drawn,
                            .shown = all.shown,
                            .may_fade = all.may_fade,
                            .source_share = all.source_share};
  canvas.drawing.update(
      {.picture = canvas.source.planes(),
       .stats = stats_.data(),
       .pictures = needs_ == stream::SourceNeeds::kPicture ? pictures_.data() : nullptr,
       .means = needs_ == stream::SourceNeeds::kMeans ? means_.data() : nullptr},
      tiles.tiles(), changes, header_.look);
  if (!changes.changed.empty())
    canvas.output.finish(canvas.drawing, changes,
                         canvas.redraw ? Continuation::kStart : continuation_, in_region_,
                         header_.look, header_.newest, of);
  canvas.redraw = false;
}

void Renderer::draw(const RenderView& view, const mt::FrameView& out) {
  executor_->wait();  // for kernels that still use the lists
  set_view(view);
  if (whole_) {
    paint(*whole_, *whole_tiles_, nullptr);
    // The lists of cells and their source are common to both.
    executor_->wait();
    const Grid& grid = canvas_->grid;
    const OutputStages::Part part{
        whole_->output, {grid.whole_width, grid.whole_height}, grid.part_x, grid.part_y};
    paint(*canvas_, tiles_, &part);
  } else {
    paint(*canvas_, tiles_, nullptr);
  }
  mt::Planes shown = canvas_->output.finished();
  for (uint8_t*& plane : shown.plane)
    plane += static_cast<int64_t>(shown_y_) * shown.stride + shown_x_;
  shown.width = view.width;
  shown.height = view.height;
  write_frame(*executor_, shown, out, out);
  std::fill(changed_.begin(), changed_.end(), 0);
  std::fill(drawn_.begin(), drawn_.end(), 0);
  continuation_ = Continuation::kContinues;
}

}  // namespace mosaic
