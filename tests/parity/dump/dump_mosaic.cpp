// SPDX-License-Identifier: LGPL-2.1-or-later
// Makes whole mosaics for gate.py, each frame on its own. Each tile is used as rarely as the grid
// allows; a profile with diffusion uses tiles without a limit.
//
//   dump_mosaic PHOTOS SIDE WIDTH HEIGHT PROFILE...
//
// Standard input: for each frame its pixels, packed R, G, B, and for each profile the tiles that
// the reference chose, int32 [cells]. Output, for each frame and profile: the tiles before the
// rerank and after it, int32 [cells] each, the mosaic, and the mosaic of the reference's tiles.
#include <cstdio>
#include <vector>

#include "kernels/all/kernels.h"
#include "mosaic/drawing/drawing.h"
#include "mosaic/drawing/finishing.h"
#include "mosaic/drawing/seam_blending.h"
#include "mosaic/engine/analysis_stages.h"
#include "mosaic/engine/cell_planning.h"
#include "tests/mosaic/frames.h"
#include "tests/parity/dump/gate_mosaic.h"
#include "tests/parity/dump/streams.h"

namespace {

/// Draws tiles chosen by the reference, as Engine draws its own.
class Drawer {
 public:
  Drawer(const mosaic::Grid& grid, const std::shared_ptr<const mosaic::Pool>& pool,
         const std::shared_ptr<mt::Executor>& executor)
      : executor_(*executor),
        pool_(std::make_shared<mosaic::PoolOnDevice>(pool, executor)),
        analysis_(grid, pool_, grid.cells(), executor),
        planning_(grid.cells()),
        drawing_(grid, executor),
        seams_(grid, executor),
        finishing_(grid.out_width, grid.out_height, 1, executor) {}

  void draw(const mt::FrameView& in, const std::vector<int32_t>& tiles, const mosaic::Look& look,
            const mt::FrameView& out) {
    analysis_.forget();
    analysis_.enqueue(in, {});
    analysis_.list({});
    executor_.wait();
    analysis_.read_back({});
    const mosaic::AnalysedFrame& frame = analysis_.frame();
    const mosaic::CellUpdates& updates =
        planning_.update(*frame.cells, tiles, *frame.saliency, look, frame.scene.continuation, 0);
    drawing_.update({.picture = frame.source, .stats = frame.cells->stats_on_device()},
                    pool_->tiles(), updates.changes(), look);
    mt::Planes drawn = drawing_.canvas();
    if (look.laplacian_blend) drawn = seams_.apply(drawn, look.laplacian_levels);
    if (mosaic::Finishing::wanted(look)) drawn = finishing_.apply(drawn, look);
    executor_.launch(mt::Pack{drawn, out, {}, 0, 0},
                     (out.height + mt::Pack::kRows - 1) / mt::Pack::kRows);
    executor_.wait();
  }

 private:
  mt::Executor& executor_;
  std::shared_ptr<const mosaic::PoolOnDevice> pool_;
  mosaic::AnalysisStages analysis_;
  mosaic::CellPlanning planning_;
  mosaic::Drawing drawing_;
  mosaic::SeamBlending seams_;
  mosaic::Finishing finishing_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) return 2;
  parity::GateMosaic gate(argv);
  Drawer drawer(gate.grid, gate.pool, gate.executor);

  test::RgbFrame in(gate.width, gate.height), out(gate.width, gate.height);
  std::vector<std::vector<int32_t>> theirs(argc - 5, std::vector<int32_t>(gate.grid.cells()));
  while (parity::read(in.pixels)) {
    for (std::vector<int32_t>& tiles : theirs)
      if (!parity::read(tiles)) return 1;
    for (int i = 5; i < argc; ++i) {
      const mosaic::FrameSettings settings = gate.settings(argv[i]);
      mosaic::FrameSettings before = settings;
      before.look.rerank = 0;
      gate.engine.process(in.view(), out.view(), before);
      parity::write(gate.engine.tiles());
      gate.engine.process(in.view(), out.view(), settings);
      gate.executor->wait();
      parity::write(gate.engine.tiles());
      parity::write(out.pixels);
      drawer.draw(in.view(), theirs[i - 5], settings.look, out.view());
      parity::write(out.pixels);
    }
    std::fflush(stdout);
  }
}
