// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/engine/frame_memory.h"

#include <algorithm>
#include <string>

#include "kernels/features/cell_stats.h"
#include "kernels/matching/tile_similarity.h"
#include "mosaic/base/memory_limit.h"
#include "mosaic/candidates/candidate_lists.h"
#include "mosaic/candidates/candidate_source.h"
#include "mosaic/drawing/finishing.h"
#include "mosaic/motion_network/frame_flow.h"

namespace mosaic {
namespace {

constexpr uint64_t kFeatureBytes = size_t{2} * mt::kFeatureStride * sizeof(int16_t);  // of a cell

/// The curves of all regions that local contrast may have, and the table of graded colours.
constexpr uint64_t kFinishingTables = uint64_t{9} << 20;

/// The bytes of a plane, whose rows are aligned to 64.
uint64_t plane(int width, int height) {
  return (static_cast<uint64_t>(width) + 63) / 64 * 64 * height;
}

/// The bytes of a plane of the pixels of all cells.
uint64_t cell_plane(const Grid& grid) {
  return static_cast<uint64_t>(grid.cells()) * grid.side * grid.side;
}

uint64_t listed(int64_t tiles) {
  return std::min<int64_t>(tiles, kListedTiles);
}

/// What is kept of a frame for later: its picture and what was found in it.
uint64_t kept_frame(const Grid& grid, int64_t tiles) {
  const uint64_t of_cell = kFeatureBytes + sizeof(mt::CellStats) + listed(tiles) * 8 +
                           mt::kRerankNearest * sizeof(int32_t) + 64;
  return 3 * plane(grid.in_width, grid.in_height) + 3 * cell_plane(grid) + grid.cells() * of_cell;
}

uint64_t analysis(const Grid& grid, const FrameSettings& settings) {
  const uint64_t in = plane(grid.in_width, grid.in_height);
  const uint64_t analysed = plane(grid.analysed.width + 2, grid.analysed.height + 2);
  const uint64_t small = plane(std::min(settings.flow_width, grid.in_width),
                               std::min(settings.flow_height, grid.in_height));
  const uint64_t network = settings.flow == Flow::kRaft
                               ? FrameFlow::memory({std::min(settings.flow_width, grid.in_width),
                                                    std::min(settings.flow_height, grid.in_height)},
                                                   settings.flow_windows)
                               : 0;
  const uint64_t lightness =
      static_cast<uint64_t>(grid.cells()) * (grid.side + 2) * (grid.side + 2);
  // Source and luma; the resampled picture and its luma; edges and detail; CIELAB and luma of
  // cells beside their pixels; the small pictures that scenes are found in.
  return 4 * in + (grid.resampled() ? 4 * analysed : 0) + 4 * analysed + 7 * cell_plane(grid) +
         lightness + (2 + mt::kKeptScenes) * small + network;
}

/// Candidate lists, the solver and the rerank.
uint64_t placement(const Grid& grid, int64_t tiles) {
  const uint64_t cells = grid.cells(), count = tiles;
  const uint64_t distances =
      std::min<uint64_t>(cells * count, std::max<uint64_t>(kMaxDistances, count));
  const uint64_t of_cell = kFeatureBytes + kFeatureBytes / 2 + sizeof(mt::CellStats) +
                           (1 + mt::kRerankNearest) * sizeof(mt::RerankScore) + listed(tiles) * 32 +
                           512;
  return distances * sizeof(uint32_t) + cells * of_cell + count * (kFeatureBytes / 2 + 64);
}

uint64_t drawing(const Grid& grid, const FrameSettings& settings) {
  const uint64_t out = plane(grid.out_width, grid.out_height);
  const Look& look = settings.look;
  const uint64_t scaled = grid.scaled() ? 3 * out : 0;
  uint64_t bytes = 3 * out + scaled;
  if (settings.temporal_blend > 0) bytes += 6 * out;
  if (settings.overlay) bytes += 3 * out;
  // The mixture, its source at this size, and the source of a frame that repeats the last mosaic.
  if (settings.mix < 1) bytes += 3 * out + scaled + 3 * plane(grid.in_width, grid.in_height);
  if (look.fidelity > 0) bytes += 3 * out;
  // The steps before grading, then those of LutGrading or ExactGrading.
  if (Finishing::wanted(look))
    bytes += kFinishingTables + 6 * out + (look.fidelity > 0 ? 9 : 23) * out;
  // Half of it for masks in double precision, while they are made; one of a cell among them.
  if (look.laplacian_blend)
    bytes += 23 * out + sizeof(double) * grid.draw_size.width * grid.draw_size.height;
  return bytes;
}

}  // namespace

uint64_t frame_memory(const Grid& grid, int64_t tiles, const FrameSettings& settings,
                      int lookahead) {
  uint64_t bytes = analysis(grid, settings) + placement(grid, tiles) + drawing(grid, settings);
  if (lookahead == 0) return bytes;
  // In each known frame: the features of its cells, and what the tiles that are considered cost.
  constexpr uint64_t kConsidered = 64;  // of a cell, in all known frames: about so many
  const uint64_t costs =
      grid.cells() * (kFeatureBytes + 32 + kConsidered * sizeof(int32_t)) + tiles * sizeof(int64_t);
  bytes += (lookahead + 2) * kept_frame(grid, tiles) + (lookahead + 1) * costs;
  return bytes;
}

void check_frame_memory(const Grid& grid, const Pool* pool, const FrameSettings& settings,
                        int lookahead) {
  const uint64_t frame = frame_memory(grid, pool ? pool->tiles() : 0, settings, lookahead);
  const auto size = [](int width, int height) {
    return std::to_string(width) + "x" + std::to_string(height);
  };
  std::string what = "a mosaic of " + size(grid.out_width, grid.out_height) +
                     " pixels made of frames of " + size(grid.in_width, grid.in_height) +
                     ", with " + size(grid.columns, grid.rows) + " cells";
  if (lookahead > 0) what += " and lookahead=" + std::to_string(lookahead);
  if (pool)
    what += ", and " + std::to_string(pool->photos()) + " photos drawn at " +
            size(pool->draw_size().width, pool->draw_size().height);
  check_memory(frame + (pool ? pool->bytes() : 0), what,
               "use a smaller output or smaller frames, fewer cells (tile-size, size), a shorter "
               "lookahead or fewer photos");
}

}  // namespace mosaic
