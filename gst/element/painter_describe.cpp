// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What the painter does where a mosaic is sent as a stream of indices.
#include <string>

#include "gst/element/painter.h"
#include "gst/memory/mapped_frame.h"
#include "mosaic/base/error.h"

namespace mosaic_gst {

mosaic::stream::StreamHeader Painter::stream_header(const mosaic::FrameSettings& settings) const {
  if (!pool_->pack())
    throw mosaic::Error(
        mosaic::Error::Kind::kSettings,
        "a mosaic can be sent as a stream of indices only if its photos are those of one pack",
        "make a pack of them with mosaic-temporal pack, and set tile-location to that file");
  if (engine_->grid().cells() > mosaic::stream::kMostCells)
    throw mosaic::Error(
        mosaic::Error::Kind::kSettings,
        "a mosaic of " + std::to_string(engine_->grid().cells()) +
            " cells is too large for a stream of indices",
        "use larger cells; at most " + std::to_string(mosaic::stream::kMostCells) + " can be sent");
  mosaic::stream::StreamHeader header;
  set_grid(header, engine_->grid(), {in_info_.par_n, in_info_.par_d}, engine_cell_);
  header.fps_n = static_cast<uint32_t>(in_info_.fps_n);
  header.fps_d = static_cast<uint32_t>(in_info_.fps_d);
  header.photos = *pool_->pack();
  header.photo_count = static_cast<uint32_t>(pool_->photos());
  header.augment = prepared_->augment;
  header.color_variants = static_cast<int>(prepared_->color_variants);
  header.look = engine_->as_drawn(settings.look);
  header.newest = settings.ema_alpha;
  return header;
}

Painter::Outcome Painter::describe(const Frame& in, std::span<const Frame> later_frames,
                                   const SettingsPtr& settings, bool may_wait,
                                   const Described& described) try {
  prepare(settings);
  update_executor(settings->n_threads);
  if (!wait_for_pool(*settings, may_wait)) return Outcome::kInterrupted;
  if (!engine_) return Outcome::kInputUnchanged;
  const mosaic::stream::StreamHeader header = stream_header(*in.settings);
  update_lookahead(in, later_frames, settings->lookahead);
  MappedFrame source(in_info_, in.buffer, map_flag() | GST_MAP_READ);
  try {
    const mt::FrameView from = load(*source);
    if (gpu_executor_ && !copies_frames()) gpu_.synchronise(*gpu_executor_, in.buffer, in.buffer);
    const mosaic::stream::FrameState& state =
        engine_->describe(from, *in.settings, regions_of(in.buffer));
    executor_->wait();
    has_output_ = true;
    count_frame();
    described(header, state);
    return Outcome::kDrawn;
  } catch (...) {
    recover();
    throw;
  }
} catch (const mt::Cancelled&) {
  return Outcome::kInterrupted;
}

}  // namespace mosaic_gst
