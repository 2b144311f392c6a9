// SPDX-License-Identifier: LGPL-2.1-or-later
// Whole mosaics for gate.py, each frame on its own, each tile used as seldom as the grid allows (by
// a profile that diffuses: as often as it likes).
//
//   dump_mosaic PHOTOS SIDE WIDTH HEIGHT PROFILE...
//
// Standard input: for each frame its pixels, packed R, G, B, and for each profile the tiles that
// the reference chose, int32 [cells]. Output, for each frame and profile: the tiles before the
// rerank and after it, int32 [cells] each, the mosaic, and the mosaic of the reference's tiles.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "cuda/kernels.h"
#include "mosaic/analysis.h"
#include "mosaic/detail.h"
#include "mosaic/drawing.h"
#include "mosaic/engine.h"
#include "mosaic/finishing.h"
#include "mosaic/pool.h"
#include "mosaic/profile.h"
#include "mosaic/saliency.h"
#include "mosaic/seams.h"

namespace {

using Packed = std::vector<uint8_t>;

mt::FrameView view(Packed& packed, int width, int height) {
  mt::FrameView v;
  v.width = width;
  v.height = height;
  for (int c = 0; c < 3; ++c) v.component[c] = {packed.data() + c, 3 * width, 3};
  return v;
}

template <class T>
bool read(std::vector<T>& values) {
  return std::fread(values.data(), sizeof(T), values.size(), stdin) == values.size();
}

template <class Values>
void write(const Values& values) {
  std::fwrite(values.data(), sizeof values[0], values.size(), stdout);
}

/// Draws tiles that somebody else chose, as Engine draws its own.
class Drawer {
 public:
  Drawer(const mosaic::Grid& grid, const std::shared_ptr<const mosaic::Pool>& pool,
         const std::shared_ptr<mt::Executor>& executor)
      : executor_(*executor),
        source_(grid.in_width, grid.in_height, executor),
        gray_(executor, size_t(source_.planes().stride) * grid.in_height),
        analysis_(grid, executor),
        detail_(grid, executor),
        saliency_(grid),
        drawing_(grid, std::make_shared<mosaic::PoolOnDevice>(pool, executor), executor),
        seams_(grid, executor),
        finishing_(grid.out_width, grid.out_height, executor) {}

  void draw(const mt::FrameView& in, const std::vector<int32_t>& tiles, const mosaic::Look& look,
            const mt::FrameView& out) {
    executor_.launch(mt::Unpack{in, source_.planes(), gray_.data()}, in.height);
    analysis_.look(executor_, source_.planes(), true);
    detail_.look(executor_, analysis_.picture(source_.planes()), gray_.data(),
                 analysis_.on_device().changed);
    executor_.wait();
    analysis_.collect();
    saliency_.update(analysis_.stats(), detail_, true, 1.0);
    drawing_.update(executor_, source_.planes(), analysis_, tiles, tiles, saliency_, look, true);
    mt::Planes drawn = drawing_.canvas();
    if (look.laplacian_blend) drawn = seams_.apply(executor_, drawn, look.laplacian_levels);
    if (mosaic::Finishing::wanted(look)) drawn = finishing_.apply(executor_, drawn, look);
    executor_.launch(mt::Pack{drawn, out, {}, 0, 0},
                     (out.height + mt::Pack::kRows - 1) / mt::Pack::kRows);
    executor_.wait();
  }

 private:
  mt::Executor& executor_;
  mosaic::Picture source_;
  mt::DeviceBuffer<uint8_t> gray_;
  mosaic::FrameAnalysis analysis_;
  mosaic::Detail detail_;
  mosaic::Saliency saliency_;
  mosaic::Drawing drawing_;
  mosaic::Seams seams_;
  mosaic::Finishing finishing_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) return 2;
  const int side = std::atoi(argv[2]), width = std::atoi(argv[3]), height = std::atoi(argv[4]);
  const auto executor = mt::make_cpu_executor(0);
  const mosaic::Grid grid = mosaic::choose_grid(width, height, width, height, side, "1");
  const std::atomic<bool> cancelled{false};
  const auto pool = mosaic::load_pool(
      *mosaic::open_photo_folder(argv[1]), {side, grid.draw_side, true, ""}, *executor,
      [](const mosaic::PoolProgress&) {}, [](const std::string&) {}, cancelled);
  mosaic::Engine engine(grid, pool, 0, executor);
  Drawer drawer(grid, pool, executor);

  Packed in(size_t{3} * width * height), out(in.size());
  std::vector<std::vector<int32_t>> theirs(argc - 5, std::vector<int32_t>(grid.cells()));
  while (read(in)) {
    for (std::vector<int32_t>& tiles : theirs)
      if (!read(tiles)) return 1;
    for (int i = 5; i < argc; ++i) {
      mosaic::FrameSettings settings;
      settings.coherence = mosaic::Coherence::kNone;
      settings.look = mosaic::load_profile(argv[i]);
      mosaic::FrameSettings before = settings;
      before.look.rerank = 0;
      engine.process(view(in, width, height), view(out, width, height), before);
      write(engine.tiles());
      engine.process(view(in, width, height), view(out, width, height), settings);
      executor->wait();
      write(engine.tiles());
      write(out);
      drawer.draw(view(in, width, height), theirs[i - 5], settings.look, view(out, width, height));
      write(out);
    }
    std::fflush(stdout);
  }
}
