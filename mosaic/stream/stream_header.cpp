// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/stream/stream_header.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <type_traits>
#include <variant>

#include "kernels/drawing/hue.h"
#include "mosaic/base/bytes.h"
#include "mosaic/base/error.h"

namespace mosaic::stream {
namespace {

constexpr int kLargestFrame = 16384;
constexpr size_t kFixedBytes = 72, kFieldBytes = 9;

[[noreturn]] void refuse(const std::string& why) {
  throw Error(Error::Kind::kRead, "the header of the mosaic stream is damaged: " + why);
}

double value_of(const Look& look, const LookField& field) {
  return std::visit([&](auto member) { return static_cast<double>(look.*member); }, field.member);
}

/// The largest value of a field; for words their number less one.
double most_of(const LookField& field) {
  if (std::holds_alternative<PlacementKind Look::*>(field.member))
    return static_cast<double>(placement_words().size()) - 1;
  if (std::holds_alternative<TransferKind Look::*>(field.member))
    return static_cast<double>(transfer_words().size()) - 1;
  if (std::holds_alternative<bool Look::*>(field.member)) return 1;
  return field.max;
}

void set_value(Look& look, const LookField& field, double value) {
  const bool whole = !std::holds_alternative<double Look::*>(field.member);
  if (!(value >= field.min && value <= most_of(field)) || (whole && value != std::floor(value)))
    refuse("the look's " + std::string(field.name) + " is out of range");
  std::visit(
      [&](auto member) {
        using Value = std::remove_reference_t<decltype(look.*member)>;
        look.*member = static_cast<Value>(value);
      },
      field.member);
}

/// Only the fields that differ from those of a mosaic without a look: their number, then the index
/// and the value of each.
void append_look(std::vector<uint8_t>& to, const Look& look) {
  const std::span<const LookField> fields = look_fields();
  const Look none;
  const size_t count_at = to.size();
  append(to, 0, 1);
  for (size_t i = 0; i < fields.size(); ++i) {
    const double value = value_of(look, fields[i]);
    if (value == value_of(none, fields[i])) continue;
    append(to, i, 1);
    append(to, std::bit_cast<uint64_t>(value), 8);
    ++to[count_at];
  }
}

Look read_look(std::span<const uint8_t> bytes) {
  Look look;
  for (size_t at = 0; at < bytes.size(); at += kFieldBytes) {
    if (bytes[at] >= look_fields().size()) refuse("its look has an unknown field");
    set_value(look, look_fields()[bytes[at]],
              std::bit_cast<double>(little_endian64(bytes, at + 1)));
  }
  return look;
}

Shape read_cell(ShapeBytes bytes) {
  const std::optional<Shape> shape = read_shape(bytes);
  if (!shape) refuse("its cells have no possible shape");
  return *shape;
}

int cells_of(const StreamHeader& h) try {
  return h.grid(h.width, h.height).cells();
} catch (const Error& error) {
  refuse(error.what());
}

void check(const StreamHeader& h) {
  const auto within = [](int64_t value, int64_t least, int64_t most) {
    return value >= least && value <= most;
  };
  if (!within(h.width, 1, kLargestFrame) || !within(h.height, 1, kLargestFrame))
    refuse("its frames have no possible size");
  if (h.pixel.width < 1 || h.pixel.height < 1) refuse("its pixels have no possible shape");
  if (h.fps_d == 0) refuse("its frame rate is impossible");
  const bool cells =
      h.side == 0 && within(h.columns, 1, kLargestFrame) && within(h.rows, 1, kLargestFrame);
  const bool side = within(h.side, 8, 256) && h.columns == 0 && h.rows == 0;
  if (!cells && !side) refuse("its cells have no possible size");
  if (!within(h.photo_count, 1, pack::kMostPhotos)) refuse("it has no possible number of photos");
  if (!within(h.color_variants, 0, mt::kMaxHues))
    refuse("it has no possible number of colour variants");
  if (!(h.newest >= 0 && h.newest <= 1)) refuse("its weight of the newest frame is out of range");
  if (cells_of(h) > kMostCells) refuse("it has too many cells");
}

}  // namespace

int StreamHeader::tiles() const {
  return static_cast<int>(photo_count) * mt::tile_variants(augment, color_variants).count();
}

Grid StreamHeader::grid(int out_width, int out_height) const {
  const std::string size = side > 0 ? "1" : std::to_string(columns) + "x" + std::to_string(rows);
  const Grid grid = choose_grid(width, height, out_width, out_height, static_cast<unsigned>(side),
                                size, pixel, cell);
  if (side == 0 && (grid.columns != columns || grid.rows != rows))
    throw Error(Error::Kind::kSettings,
                "a mosaic of " + size + " cells cannot be shown at " + std::to_string(out_width) +
                    "x" + std::to_string(out_height) + " pixels",
                "use a larger picture");
  return grid;
}

void set_grid(StreamHeader& header, const Grid& grid, Shape pixel, Shape cell) {
  header.width = grid.in_width;
  header.height = grid.in_height;
  header.pixel = pixel;
  header.cell = cell;
  header.side = grid.side;
  header.columns = header.rows = 0;
  if (header.grid(grid.out_width, grid.out_height) == grid) return;
  header.side = 0;
  header.columns = grid.columns;
  header.rows = grid.rows;
}

SourceNeeds source_needs(const Look& look) {
  if (look.color_transfer != TransferKind::kNone || look.base_blend_max > 0 ||
      look.base_blend_min > 0)
    return SourceNeeds::kPicture;
  return look.fidelity > 0 ? SourceNeeds::kMeans : SourceNeeds::kNothing;
}

void append_header(std::vector<uint8_t>& to, const StreamHeader& h) {
  append(to, h.width, 4);
  append(to, h.height, 4);
  append(to, h.pixel.width, 4);
  append(to, h.pixel.height, 4);
  append(to, h.fps_n, 4);
  append(to, h.fps_d, 4);
  append(to, h.side, 4);
  append(to, h.columns, 4);
  append(to, h.rows, 4);
  append(to, h.photos.low, 8);
  append(to, h.photos.high, 8);
  append(to, h.photo_count, 4);
  append(to, h.augment, 1);
  append(to, h.color_variants, 1);
  for (const uint8_t byte : bytes_of(h.cell)) append(to, byte, 1);
  append(to, std::bit_cast<uint64_t>(h.newest), 8);
  append(to, 0, 4);
  append_look(to, h.look);
}

StreamHeader read_header(std::span<const uint8_t> bytes, size_t& size) {
  if (bytes.size() <= kFixedBytes) refuse("it is too short");
  const auto number = [&](size_t at) { return static_cast<int>(little_endian(bytes, at, 4)); };
  StreamHeader h{.width = number(0),
                 .height = number(4),
                 .pixel = {number(8), number(12)},
                 .cell = read_cell({bytes[58], bytes[59]}),
                 .fps_n = little_endian(bytes, 16, 4),
                 .fps_d = little_endian(bytes, 20, 4),
                 .side = number(24),
                 .columns = number(28),
                 .rows = number(32),
                 .photos = {little_endian64(bytes, 36), little_endian64(bytes, 44)},
                 .photo_count = little_endian(bytes, 52, 4),
                 .augment = bytes[56] != 0,
                 .color_variants = bytes[57],
                 .look = {},
                 .newest = std::bit_cast<double>(little_endian64(bytes, 60))};
  if (bytes[56] > 1 || little_endian(bytes, 68, 4) != 0) refuse("a reserved byte is not 0");
  const size_t fields = bytes[kFixedBytes];
  size = kFixedBytes + 1 + fields * kFieldBytes;
  if (bytes.size() < size) refuse("it is too short");
  h.look = read_look(bytes.subspan(kFixedBytes + 1, fields * kFieldBytes));
  check(h);
  return h;
}

}  // namespace mosaic::stream
