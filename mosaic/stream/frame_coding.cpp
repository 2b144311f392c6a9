// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/stream/frame_coding.h"

#include <algorithm>
#include <bit>

#include "kernels/drawing/hue.h"
#include "mosaic/base/error.h"

namespace mosaic::stream {
namespace {

/// A number, the highest bit first, each with a model that is chosen by the bits before it.
template <class Coder, class Models>
uint32_t code_tree(Coder& coder, Models& models, int bits, uint32_t value) {
  uint32_t node = 1;
  for (int i = bits - 1; i >= 0; --i)
    node = 2 * node + uint32_t{coder.bit(models[node], value >> i & 1)};
  return node - (1u << bits);
}

/// What is known of a flag of the cells around a cell when that cell is coded: of those above and
/// to the left in this frame, of the cell itself and the others in the frame before.
struct Surroundings {
  const std::vector<FrameState::Cell>& cells;
  int columns;

  /// 0 to 15: how many of the former have the flag, up to 3, and 4 times how many of the latter.
  int context(int cell, bool FrameState::Cell::*flag) const {
    const int x = cell % columns;
    int now = 0, before = cells[cell].*flag;
    const auto count = [&](int dx, int dy, int& sum) {
      const int at = cell + dy * columns + dx;
      const bool inside =
          x + dx >= 0 && x + dx < columns && at >= 0 && at < static_cast<int>(cells.size());
      if (inside) sum += cells[at].*flag;
    };
    for (const int dx : {-1, 0, 1}) count(dx, -1, now);
    count(-1, 0, now);
    count(1, 0, before);
    for (const int dx : {-1, 0, 1}) count(dx, 1, before);
    return std::min(now, 3) + 4 * std::min(before, 3);
  }
};

constexpr int kMostBlend = 16, kBlendBits = 5, kContinuationBits = 2, kShareBits = 17;

}  // namespace

FrameCoding::FrameCoding(const StreamHeader& header)
    : columns_(header.grid(header.width, header.height).columns),
      photos_(static_cast<int32_t>(header.photo_count)),
      variants_(mt::tile_variants(header.augment, header.color_variants).count()),
      newest_(header.grid(header.width, header.height).cells(), source_needs(header.look)) {}

void FrameCoding::encode(const FrameState& frame, bool key, std::vector<uint8_t>& to) {
  RangeEncoder coder(to);
  code(coder, key, frame);
  coder.finish();
}

void FrameCoding::decode(std::span<const uint8_t> code_bytes, bool key) {
  RangeDecoder coder(code_bytes);
  code(coder, key, newest_);
}

// The syntax, for encoder and decoder: the encoder is given what is wanted, the decoder the newest
// frame, whose values it does not use. Both store what was coded in the newest frame.
template <class Coder>
void FrameCoding::code(Coder& coder, bool key, const FrameState& wanted) {
  if (key) {
    models_ = {};
    for (FrameState::Cell& cell : newest_.cells) cell.changed = cell.drawn = false;
  }
  newest_.continuation = static_cast<Continuation>(
      coder.number(kContinuationBits, static_cast<uint32_t>(wanted.continuation)));
  newest_.blend = static_cast<int>(coder.number(kBlendBits, static_cast<uint32_t>(wanted.blend)));
  if (newest_.blend > kMostBlend) throw Error(Error::Kind::kRead, "a crossfade is too long");
  bool any = false;
  if (!Coder::kDecodes && !key)
    for (size_t i = 0; i < wanted.cells.size(); ++i)
      any = any || wanted.cells[i].tile != newest_.cells[i].tile || wanted.cells[i].drawn ||
            wanted.cells[i].at_once || wanted.cells[i].in_region != newest_.cells[i].in_region;
  if (!key && !coder.bit(models_.any_changed, any)) {
    for (FrameState::Cell& cell : newest_.cells) cell.changed = cell.at_once = cell.drawn = false;
    return;
  }
  for (int cell = 0; cell < static_cast<int>(newest_.cells.size()); ++cell)
    code_cell(coder, key, cell, wanted);
}

template <class Coder>
int32_t FrameCoding::code_tile(Coder& coder, int32_t tile) {
  const int photo_bits = std::bit_width(static_cast<unsigned>(photos_ - 1));
  const int variant_bits = std::bit_width(static_cast<unsigned>(variants_ - 1));
  const int plain = std::max(photo_bits - FrameModels::kPhotoBits, 0);
  const auto wanted = static_cast<uint32_t>(tile % photos_);
  const uint32_t high = code_tree(coder, models_.photo, photo_bits - plain, wanted >> plain);
  const uint32_t low = coder.number(plain, wanted & ((1u << plain) - 1));
  const auto photo = static_cast<int32_t>(high << plain | low);
  const auto variant = static_cast<int32_t>(
      code_tree(coder, models_.variant, variant_bits, static_cast<uint32_t>(tile / photos_)));
  if (photo >= photos_ || variant >= variants_)
    throw Error(Error::Kind::kRead, "a cell shows a tile that does not exist");
  return photo + photos_ * variant;
}

/// What the cell shows in a keyframe.
template <class Coder>
void FrameCoding::code_fade(Coder& coder, const Fades::Cell& wanted, FrameState::Cell& cell) {
  const bool fades = wanted.old_tile >= 0 || wanted.tile != cell.tile;
  cell.shown = {cell.tile, -1, mt::kWholeShare};
  if (!coder.bit(models_.fades, fades)) return;
  cell.shown.tile = code_tile(coder, std::max(wanted.tile, 0));
  cell.shown.share =
      static_cast<int32_t>(coder.number(kShareBits, static_cast<uint32_t>(wanted.share)));
  if (cell.shown.share < 1 || cell.shown.share > mt::kWholeShare)
    throw Error(Error::Kind::kRead, "a crossfade has an impossible share");
  if (cell.shown.share < mt::kWholeShare)
    cell.shown.old_tile = code_tile(coder, std::max(wanted.old_tile, 0));
}

template <class Coder>
void FrameCoding::code_cell(Coder& coder, bool key, int number, const FrameState& wanted_frame) {
  const FrameState::Cell wanted = wanted_frame.cells[number];
  FrameState::Cell& cell = newest_.cells[number];
  const FrameState::Cell nothing;
  const FrameState::Cell was = key ? nothing : cell;
  const Surroundings around{newest_.cells, columns_};
  bool changed = key || wanted.tile != was.tile;
  if (!key)
    changed =
        coder.bit(models_.changed[around.context(number, &FrameState::Cell::changed)], changed);
  if (changed) cell.tile = code_tile(coder, wanted.tile);
  cell.changed = changed && !key;
  cell.at_once = newest_.blend > 0 && coder.bit(models_.at_once, wanted.at_once);
  if (key && newest_.blend > 0) code_fade(coder, wanted.shown, cell);
  if (key && newest_.blend == 0) cell.shown = {cell.tile, -1, mt::kWholeShare};
  const bool region_changed = coder.bit(models_.in_region, wanted.in_region != was.in_region);
  cell.in_region = was.in_region != region_changed;
  // Without a source, drawing a cell again gives the same picture unless its tile changes.
  cell.drawn =
      newest_.source_needs != SourceNeeds::kNothing &&
      coder.bit(models_.drawn[changed + 2 * around.context(number, &FrameState::Cell::drawn)],
                wanted.drawn);
  if (key || cell.drawn) code_numbers(coder, key, number, wanted_frame);
}

template <class Coder>
void FrameCoding::code_numbers(Coder& coder, bool key, int cell, const FrameState& wanted_frame) {
  const int count = count_of(newest_.source_needs);
  const int32_t* wanted = wanted_frame.numbers_of(cell);
  int32_t* numbers = newest_.numbers_of(cell);
  const bool has_left = cell % columns_ != 0, has_above = cell >= columns_;
  const int32_t* neighbour = has_left    ? newest_.numbers_of(cell - 1)
                             : has_above ? newest_.numbers_of(cell - columns_)
                                         : nullptr;
  int not_zero = 0;  // of the last two: bit 0 the last one
  for (int i = 0; i < count; ++i) {
    FrameModels::Number& model = key ? models_.across[i] : models_.delta[i];
    const int32_t from = !key ? numbers[i] : neighbour ? neighbour[i] : 0;
    const int32_t delta =
        model.value.code(coder, model.zero[std::popcount(static_cast<unsigned>(not_zero))],
                         Coder::kDecodes ? 0 : wanted[i] - from);
    not_zero = (not_zero << 1 | (delta != 0)) & 3;
    const NumberRange range = range_of_number(newest_.source_needs, i);
    numbers[i] = from + delta;
    if (numbers[i] < range.low || numbers[i] > range.high)
      throw Error(Error::Kind::kRead, "a number is out of range");
  }
  if (Coder::kDecodes && newest_.source_needs == SourceNeeds::kMeans) means_of(numbers);  // checks
}

}  // namespace mosaic::stream
