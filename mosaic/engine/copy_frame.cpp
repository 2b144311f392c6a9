// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/engine/copy_frame.h"

#include <memory>

#include "kernels/frame/copy_samples.h"
#include "kernels/frame/pack.h"
#include "kernels/frame/resample.h"
#include "kernels/frame/unpack.h"
#include "mosaic/base/picture.h"

namespace mosaic {

void write_frame(mt::Executor& executor, const mt::Planes& from, const mt::FrameView& in,
                 const mt::FrameView& out) {
  mt::Pack pack{};
  pack.from = from;
  pack.to = out;
  // A frame that is changed in place keeps its alpha; otherwise alpha is copied.
  if (in.alpha.data != out.alpha.data) pack.alpha_from = in.alpha;
  pack.alpha_width = in.width;
  pack.alpha_height = in.height;
  executor.launch(pack, (out.height + mt::Pack::kRows - 1) / mt::Pack::kRows);
}

void copy_samples(mt::Executor& executor, const mt::FrameView& in, const mt::FrameView& out) {
  if (in.component[0].data != out.component[0].data)
    executor.launch(mt::CopySamples{in, out}, in.height);
}

void copy_frame(mt::Executor& executor, const mt::FrameView& in, const mt::FrameView& out) {
  if (in.width == out.width && in.height == out.height) {
    copy_samples(executor, in, out);
    return executor.wait();
  }
  std::shared_ptr<mt::Executor> borrowed(&executor, [](mt::Executor*) {});
  Picture source(in.width, in.height, borrowed), scaled(out.width, out.height, borrowed);
  executor.launch(mt::Unpack{in, source.planes(), nullptr}, in.height);
  executor.launch(mt::Resample{source.planes(), scaled.planes()}, out.height);
  write_frame(executor, scaled.planes(), in, out);
  executor.wait();
}

}  // namespace mosaic
