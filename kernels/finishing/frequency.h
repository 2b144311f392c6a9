// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/finishing/skin.h"
#include "kernels/kernel_list.h"
#include "kernels/math/blur.h"
#include "kernels/math/part_rows.h"
#include "kernels/views.h"

namespace mt {

/// Frequency computes (level x fine - blurred level x blurred + grey) / 2^16; `grey` keeps middle
/// grey as it is.
struct FrequencyGains {
  int32_t fine, blurred, grey;

  /// @param low  the blurred level, times 2^kBlurredBits
  MT_HD int32_t apply(int32_t level, int32_t low) const {
    const int32_t v = level * fine - ((low * blurred) >> kBlurredBits) + grey;
    return clamp_int(v >> 16, 0, 255);
  }
};

/// Amplifies detail as mosaicraft's frequency separation does: what a Gaussian blur removes is
/// multiplied by 1.08, the blurred picture by 1.03 around middle grey (FrequencyGains may weaken
/// both). Also marks where the result may be skin. Index: row of a part.
struct Frequency {
  static constexpr KernelId kId = KernelId::kFrequency;
  PartRows rows;
  const Tables* tables;
  FrequencyGains gains;
  BlurWeights weights;
  Planes from;
  WidePlanes blurred;  ///< `from`, blurred along its rows by BlurRows
  Planes to;
  uint8_t* skin;  ///< [height][to.stride], written: 255 or 0; may be null

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const PartRow row = rows[index];
    for (int i = 0; i < 3; ++i)
      enhance(g, row, blurred.plane[i], plane_row(from, i, row), plane_row(to, i, row));
    if (!skin) return;
    g.sync();
    mark_skin(g, tables, to, row, skin);
  }

 private:
  template <class Group>
  MT_HD void enhance(Group& g, const PartRow& row, const uint16_t* plane, const uint8_t* in,
                     uint8_t* out) const {
    const BlurColumn column(plane, blurred.stride, from.height, row.y);
    const BlurWeights w = weights;
    const int first = row.x;
    const FrequencyGains gain = gains;
    g.for_each(row.width, [=](int x) {
      out[x] = static_cast<uint8_t>(gain.apply(in[x], column(w, first + x)));
    });
  }
};

}  // namespace mt
