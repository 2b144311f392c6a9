// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "executor/executor.h"
#include "kernels/views.h"
#include "mosaic/drawing/cell_updates.h"
#include "mosaic/drawing/drawing.h"
#include "mosaic/engine/output_stages.h"
#include "mosaic/pack/pack_photos.h"
#include "mosaic/render/tile_cache.h"
#include "mosaic/stream/frame_state.h"
#include "mosaic/stream/stream_header.h"

namespace mosaic {

/// A part of a mosaic, and the size at which it is shown.
struct RenderView {
  int width = 1, height = 1;  ///< of the picture, pixels
  /// The part that is shown, of a mosaic of 1 x 1.
  double x = 0, y = 0, part_width = 1, part_height = 1;
  bool operator==(const RenderView&) const = default;
};

/// Draws a mosaic from a stream of indices, with the stages that draw it from its source. Used by
/// one thread at a time. Functions throw what the executor throws, and std::bad_alloc.
class Renderer {
 public:
  /// The largest mosaic that is finished as a whole: 7680x4320. What finishing needs of the whole
  /// of a larger one, of which a part is shown, is taken of a small one (docs/mosaic-format.md).
  static constexpr int64_t kMostFinished = int64_t{1} << 25;  // pixels

  /// @param photos of the pack that the header names
  /// @param executor that draws; @param host  on the CPU, prepares photos
  /// @param most_finished  kMostFinished, except in tests
  /// Throws Error (kSettings) if the photos are others.
  Renderer(const stream::StreamHeader& header, std::shared_ptr<const pack::PackPhotos> photos,
           std::shared_ptr<mt::Executor> executor, std::shared_ptr<mt::Executor> host,
           int64_t most_finished = kMostFinished);

  /// Takes up a frame, which draw() then shows. A frame may be taken up without being drawn.
  /// @param joined the frame does not continue the last one that was taken up
  void update(const stream::FrameState& frame, bool joined);

  /// Draws the last frame that was taken up. The picture is complete when the executor has been
  /// waited for.
  /// @param out of the view's size
  /// Throws Error: kSettings if the view is too large, kRead if a photo is damaged.
  void draw(const RenderView& view, const mt::FrameView& out);

 private:
  /// What has the size of the picture.
  struct Canvas {
    /// @param shown cells of which a part lies on it
    Canvas(const Grid& g, std::vector<int32_t> shown,
           const std::shared_ptr<mt::Executor>& executor);
    Grid grid;
    std::vector<int32_t> cells;
    Drawing drawing;
    OutputStages output;
    Picture source;  ///< the pictures of cells, enlarged
    std::vector<int32_t> changed, drawn;
    bool redraw = true;  ///< everything
  };

  void take_source(int cell);
  int32_t* numbers_of(int cell);
  void set_view(const RenderView& view);
  void make_whole();
  void prepare_tiles(const Canvas& canvas, TileCache& tiles);
  void paint(Canvas& canvas, TileCache& tiles, const OutputStages::Part* of);

  stream::StreamHeader header_;
  stream::SourceNeeds needs_;
  std::shared_ptr<const pack::PackPhotos> photos_;
  std::shared_ptr<mt::Executor> executor_;
  int cells_;
  int side_;  ///< at which statistics are computed, pixels
  CellUpdates updates_;
  std::vector<uint8_t> changed_, drawn_;  ///< [cells]: since the last draw()
  std::vector<int32_t> wanted_;
  std::vector<uint8_t> is_wanted_;                    ///< [photos]
  std::vector<uint8_t> in_region_;                    ///< [cells]
  std::vector<int32_t> numbers_;                      ///< [cells][count_of(needs_)]: see FrameState
  Continuation continuation_ = Continuation::kStart;  ///< of all frames since the last draw()
  mt::Buffer<mt::CellMeans> means_;                   ///< [cells]
  mt::Buffer<mt::CellPicture> pictures_;              ///< [cells]
  mt::Buffer<mt::CellStats> stats_;                   ///< [cells]
  mt::TileVariants variants_;
  std::shared_ptr<mt::Executor> host_;
  int64_t most_finished_;
  TileCache tiles_;
  std::optional<Canvas> canvas_;
  std::optional<TileCache> whole_tiles_;
  std::optional<Canvas> whole_;  ///< the whole mosaic, made small, if finishing needs it
  RenderView view_;
  int shown_x_ = 0, shown_y_ = 0;  ///< where the view begins on the canvas
};

}  // namespace mosaic
