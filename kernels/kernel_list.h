// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace mt {

/// Every kernel: X(type). Each is defined in a header of the stage that it belongs to (frame/,
/// motion/, network/, features/, matching/, drawing/, finishing/), BlurRows in math/blur.h. On a
/// GPU its entry point is named mt_<type>.
#define MT_KERNELS(X) \
  X(Unpack)           \
  X(Thumbnail)        \
  X(SceneChange)      \
  X(CellSamples)      \
  X(BlockSearch)      \
  X(NetworkInput)     \
  X(Convolution)      \
  X(RowMoments)       \
  X(PictureMoments)   \
  X(Normalise)        \
  X(SpreadFeatures)   \
  X(HalveFeatures)    \
  X(LookUp)           \
  X(SplitContext)     \
  X(ResetHidden)      \
  X(UpdateHidden)     \
  X(MoveFlow)         \
  X(EnlargeFlow)      \
  X(AddWindow)        \
  X(JoinWindows)      \
  X(CellFlow)         \
  X(Resample)         \
  X(Analyse)          \
  X(AnyChanged)       \
  X(ToGray)           \
  X(GaussianBlur)     \
  X(LaplacianParts)   \
  X(SobelGradients)   \
  X(ThinEdges)        \
  X(Hysteresis)       \
  X(SumDetail)        \
  X(CoarseTiles)      \
  X(CoarseCells)      \
  X(CoarseDistance)   \
  X(FarthestLimit)    \
  X(Farthest)         \
  X(Rescale)          \
  X(Candidates)       \
  X(Diffuse)          \
  X(Rerank)           \
  X(RotateHue)        \
  X(Draw)             \
  X(Gather)           \
  X(ShrinkCells)      \
  X(EnlargeCells)     \
  X(SourceMeans)      \
  X(CorrectCells)     \
  X(Crossfade)        \
  X(HalvePicture)     \
  X(QuarterPicture)   \
  X(CoarseSeams)      \
  X(Seams)            \
  X(Curve)            \
  X(Tone)             \
  X(EqualiseCurves)   \
  X(Equalise)         \
  X(BlurRows)         \
  X(Frequency)        \
  X(MarkSkin)         \
  X(ChromaCounts)     \
  X(ChromaPercentile) \
  X(Grade)            \
  X(GradeSums)        \
  X(MeanGrade)        \
  X(Harmony)          \
  X(SkinLut)          \
  X(SampleGrade)      \
  X(PlanLut)          \
  X(FillLut)          \
  X(ApplyLut)         \
  X(Sharpen)          \
  X(SharpenInLuma)    \
  X(MixRows)          \
  X(Overlay)          \
  X(CopySamples)      \
  X(Pack)

#define MT_ENUMERATOR(name) k##name,
enum class KernelId { MT_KERNELS(MT_ENUMERATOR) kCount };
#undef MT_ENUMERATOR

}  // namespace mt
