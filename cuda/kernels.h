// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Every kernel, for the files that instantiate them.
#pragma once

#include "cuda/analyse.h"
#include "cuda/candidates.h"
#include "cuda/cell_detail.h"
#include "cuda/chroma.h"
#include "cuda/cost_scale.h"
#include "cuda/crossfade.h"
#include "cuda/diffuse.h"
#include "cuda/distance.h"
#include "cuda/draw.h"
#include "cuda/equalise.h"
#include "cuda/frequency.h"
#include "cuda/grade.h"
#include "cuda/harmony.h"
#include "cuda/hue.h"
#include "cuda/hysteresis.h"
#include "cuda/pack.h"
#include "cuda/rerank.h"
#include "cuda/resample.h"
#include "cuda/scene.h"
#include "cuda/seams.h"
#include "cuda/sharpen.h"
#include "cuda/thumbnail.h"
#include "cuda/tone.h"
#include "cuda/unpack.h"
