// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace mt {

/// Every kernel there is: X(type). Their code is in the header of the stage they belong to.
#define MT_KERNELS(X) \
  X(Unpack)           \
  X(Thumbnail)        \
  X(Scene)            \
  X(CellSamples)      \
  X(BlockSearch)      \
  X(Resample)         \
  X(Analyse)          \
  X(AnyChanged)       \
  X(ToGray)           \
  X(Smooth)           \
  X(LaplacianParts)   \
  X(Slopes)           \
  X(Ridges)           \
  X(Hysteresis)       \
  X(SumDetail)        \
  X(Distance)         \
  X(Rescale)          \
  X(Candidates)       \
  X(SketchTiles)      \
  X(RoughNearest)     \
  X(RoughCandidates)  \
  X(Diffuse)          \
  X(Rerank)           \
  X(TurnHue)          \
  X(Draw)             \
  X(Crossfade)        \
  X(HalvePicture)     \
  X(HalveAgain)       \
  X(CoarseSeams)      \
  X(Seams)            \
  X(Tone)             \
  X(EqualiseCurves)   \
  X(Equalise)         \
  X(BlurRows)         \
  X(Frequency)        \
  X(ChromaCounts)     \
  X(ChromaPercentile) \
  X(Grade)            \
  X(MeanGrade)        \
  X(Harmony)          \
  X(Sharpen)          \
  X(Overlay)          \
  X(Pack)

#define MT_ENUMERATOR(name) k##name,
enum class KernelId { MT_KERNELS(MT_ENUMERATOR) kCount };
#undef MT_ENUMERATOR

}  // namespace mt
