// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/messages/shown_mosaic.h"

#include <cstring>
#include <span>

namespace mosaic_gst {
namespace {

template <class Value>
SharedInts make_ints(int count, const Value& value) {
  int32_t* ints = g_new(int32_t, count);
  for (int i = 0; i < count; ++i) ints[i] = value(i);
  return {g_bytes_new_take(ints, count * sizeof(int32_t)), g_bytes_unref};
}

std::span<const int32_t> ints_of(const SharedInts& shared) {
  gsize size = 0;
  const void* data = g_bytes_get_data(shared.get(), &size);
  return {static_cast<const int32_t*>(data), size / sizeof(int32_t)};
}

}  // namespace

void ShownMosaic::update(const mosaic::Engine& engine,
                         const std::shared_ptr<const mosaic::Pool>& from) {
  const mosaic::Grid& now = engine.grid();
  const std::span<const int32_t> tiles = engine.tiles(), ages = engine.ages();
  const bool same_grid = pool && grid == now;
  const bool same_tiles = same_grid && pool == from &&
                          std::memcmp(ints_of(tile).data(), tiles.data(), tiles.size_bytes()) == 0;
  if (!same_grid) {
    x = make_ints(now.columns + 1, [&](int c) { return now.out_x(c); });
    y = make_ints(now.rows + 1, [&](int r) { return now.out_y(r); });
  }
  if (!same_tiles) {
    const int photos = from->photos();
    tile = make_ints(now.cells(), [&](int cell) { return tiles[cell]; });
    photo = make_ints(now.cells(), [&](int cell) { return tiles[cell] % photos; });
  }
  age = make_ints(now.cells(), [&](int cell) { return ages[cell]; });
  grid = now;
  pool = from;
}

std::optional<ShownMosaic::Cell> ShownMosaic::at(double px, double py) const {
  if (!pool || !(px >= 0 && px < grid.out_width && py >= 0 && py < grid.out_height))
    return std::nullopt;
  Cell cell{};
  while (grid.out_x(cell.column + 1) <= px) ++cell.column;
  while (grid.out_y(cell.row + 1) <= py) ++cell.row;
  const size_t index = static_cast<size_t>(cell.row) * grid.columns + cell.column;
  cell.tile = ints_of(tile)[index];
  cell.photo = ints_of(photo)[index];
  return cell;
}

gchar** photo_names(const ShownMosaic& shown) {
  if (!shown.pool) return nullptr;
  const int count = shown.pool->photos();
  gchar** names = g_new0(gchar*, size_t(count) + 1);
  for (int i = 0; i < count; ++i) names[i] = g_strdup(shown.pool->name(i).c_str());
  return names;
}

}  // namespace mosaic_gst
