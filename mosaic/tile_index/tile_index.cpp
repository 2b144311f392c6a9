// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/tile_index/tile_index.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 is wrong about Eigen 3.4
#include <Eigen/Eigenvalues>
#pragma GCC diagnostic pop
#else
#include <Eigen/Eigenvalues>
#endif
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "kernels/matching/distance.h"

namespace mosaic {
namespace {

constexpr int kSample = 20000;  // tiles that the components are found from
constexpr double kUnit = 8;     // of coordinates, in those of features
/// What rounding 48 coordinates of two points may add to their distance: less than sqrt(48) /
/// kUnit, as each moves by at most half a unit; the rest is for the rounding of exact distances.
constexpr double kRounding = 1;

/// Where no tile or box is. Points are within sqrt(mt::kFarthestLimit) = 15,492 units of each other
/// and of their mean, as are_tile_features() makes sure, and so farther from here.
constexpr int16_t kNowhere = INT16_MAX;
static_assert(int64_t{kNowhere - 15493} * (kNowhere - 15493) > mt::kFarthestLimit);
constexpr int32_t kNoTile = 1 << 30;

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// In the units in which distances are given, see mt::feature_distance().
double feature_of(const mt::FineFeatures& tile, int i) {
  return (tile.features[i] + tile.residuals[i] / static_cast<double>(1 << mt::kResidualBits)) /
         mt::kFeatureScale;
}

int16_t coordinate(double value) {
  return static_cast<int16_t>(std::lrint(value * kUnit));
}

double distance_of(int32_t squared) {
  return std::sqrt(static_cast<double>(squared) / (1 << mt::kDistanceBits));
}

}  // namespace

TileIndex::TileIndex(const mt::FineFeatures& tiles, int count, mt::WorkerPool& workers)
    : tiles_(count) {
  find_components(tiles);
  std::vector<Point> points(count);
  constexpr int kTogether = 512;
  workers.run(count, kTogether, [&](int, int begin, int end) {
    for (int tile = begin; tile < end; ++tile) points[tile] = point(tiles.at(tile));
  });
  store(points, tree_order(points, workers), workers);
}

void TileIndex::find_components(const mt::FineFeatures& tiles) {
  const int count = std::min(tiles_, kSample);
  Matrix sample(count, mt::kFeatureStride);
  for (int row = 0; row < count; ++row) {
    const auto tile = static_cast<int>(int64_t{row} * tiles_ / count);
    for (int i = 0; i < mt::kFeatureStride; ++i) sample(row, i) = feature_of(tiles.at(tile), i);
  }
  const Eigen::RowVectorXd mean = sample.colwise().mean();
  sample.rowwise() -= mean;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(sample.transpose() * sample);
  std::copy_n(mean.data(), mt::kFeatureStride, mean_.begin());
  components_.resize(size_t{mt::kFeatureStride} * kComponents);
  for (int i = 0; i < mt::kFeatureStride; ++i)
    for (int k = 0; k < kComponents; ++k)  // eigenvalues ascend
      components_[i * kComponents + k] = solver.eigenvectors()(i, mt::kFeatureStride - 1 - k);
}

TileIndex::Point TileIndex::point(const mt::FineFeatures& features) const {
  double components[kComponents] = {}, rest = 0;
  for (int i = 0; i < mt::kFeatureStride; ++i) {
    const double value = feature_of(features, i) - mean_[i];
    const double* row = &components_[static_cast<size_t>(i) * kComponents];
    for (int k = 0; k < kComponents; ++k) components[k] += value * row[k];
    rest += value * value;
  }
  Point point;
  int left = kComponents;  // where what is left goes
  for (int k = 0; k < kComponents; ++k) {
    point[k] = coordinate(components[k]);
    rest -= components[k] * components[k];
    if (k + 1 == kBoxComponents || k + 1 == kFirstComponents || k + 1 == kComponents)
      point[left++] = coordinate(std::sqrt(std::max(rest, 0.0)));
  }
  return point;
}

int16_t TileIndex::box_coordinate(const Point& point, int i) {
  return point[i < kBoxComponents ? i : kComponents];
}
int16_t TileIndex::first_coordinate(const Point& point, int i) {
  return point[i < kFirstComponents ? i : kComponents + 1];
}
int16_t TileIndex::rest_coordinate(const Point& point, int i) {
  return point[i < mt::kRestCoordinates - 1 ? kFirstComponents + i : kComponents + 2];
}

/// The tiles in the order of the leaves, which are full but for the last one.
std::vector<int32_t> TileIndex::tree_order(const std::vector<Point>& points,
                                           mt::WorkerPool& workers) const {
  std::vector<int32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  struct Range {
    int begin, end;
  };
  /// Divides a range where its widest component does; the first half has whole units.
  const auto divide = [&](const Range& range) {
    const int count = range.end - range.begin;
    const int unit = count > mt::kBlockTiles * mt::kFan ? mt::kBlockTiles * mt::kFan
                     : count > mt::kBlockTiles          ? mt::kBlockTiles
                                                        : mt::kLeafTiles;
    const int middle = range.begin + (count + unit - 1) / unit / 2 * unit;
    constexpr int kCompared = 24, kLooked = 1000;
    double sum[kCompared] = {}, squares[kCompared] = {}, widest = -1;
    int by = 0, looked = 0;
    for (int i = range.begin; i < range.end; i += std::max(1, count / kLooked), ++looked)
      for (int k = 0; k < kCompared; ++k) {
        const double value = points[order[i]][k];
        sum[k] += value;
        squares[k] += value * value;
      }
    for (int k = 0; k < kCompared; ++k)
      if (const double width = squares[k] - sum[k] * sum[k] / looked; width > widest)
        widest = width, by = k;
    std::nth_element(order.begin() + range.begin, order.begin() + middle, order.begin() + range.end,
                     [&](int32_t a, int32_t b) {
                       return std::pair(points[a][by], a) < std::pair(points[b][by], b);
                     });
    return middle;
  };
  const auto divide_all = [&](auto& self, const Range& range, int depth,
                              std::vector<Range>* left) -> void {
    if (range.end - range.begin <= mt::kLeafTiles) return;
    if (left && depth == 0) return left->push_back(range);
    const int middle = divide(range);
    self(self, {range.begin, middle}, depth - 1, left);
    self(self, {middle, range.end}, depth - 1, left);
  };
  std::vector<Range> ranges;
  divide_all(divide_all, {0, tiles_}, 4, &ranges);
  workers.run(static_cast<int>(ranges.size()), 1, [&](int, int begin, int end) {
    for (int i = begin; i < end; ++i) divide_all(divide_all, ranges[i], 0, nullptr);
  });
  return order;
}

void TileIndex::store(const std::vector<Point>& points, const std::vector<int32_t>& order,
                      mt::WorkerPool& workers) {
  const int blocks = (tiles_ + mt::kBlockTiles - 1) / mt::kBlockTiles;
  const int leaves = blocks * mt::kFan;
  const size_t places = static_cast<size_t>(leaves) * mt::kLeafTiles;
  tile_.assign(places, -1);
  norm_.assign(places, kNoTile);
  first_.assign(places * mt::kFirstCoordinates, 0);
  rest_.assign(places * mt::kRestCoordinates, 0);
  workers.run(leaves, 64, [&](int, int begin, int end) {
    for (int leaf = begin; leaf < end; ++leaf) store_leaf(points, order, leaf);
  });
  store_boxes(points, order);
}

void TileIndex::store_leaf(const std::vector<Point>& points, const std::vector<int32_t>& order,
                           int leaf) {
  const int from = leaf * mt::kLeafTiles;
  for (int i = 0; i < mt::kLeafTiles && from + i < tiles_; ++i) {
    const size_t place = static_cast<size_t>(from) + i;
    const Point& at = points[order[place]];
    tile_[place] = order[place];
    int32_t norm = 0;
    int16_t* first = &first_[static_cast<size_t>(from) * mt::kFirstCoordinates];
    for (int k = 0; k < mt::kFirstCoordinates; ++k) {
      const int16_t value = first_coordinate(at, k);
      norm += value * value;
      first[(k / 2 * mt::kLeafTiles + i) * 2 + k % 2] = value;
    }
    norm_[place] = norm;
    for (int k = 0; k < mt::kRestCoordinates; ++k)
      rest_[place * mt::kRestCoordinates + k] = rest_coordinate(at, k);
  }
}

void TileIndex::store_boxes(const std::vector<Point>& points, const std::vector<int32_t>& order) {
  struct Box {
    std::array<int16_t, mt::kBoxCoordinates> lower, upper;
  };
  const auto put = [](const Box& box, size_t number, std::vector<int16_t>& boxes) {
    int16_t* to = &boxes[number / mt::kFan * mt::kBoxNumbers];
    for (int k = 0; k < mt::kBoxCoordinates; ++k) {
      const size_t at = k / 2 * 4 * mt::kFan + number % mt::kFan * 2 + k % 2;
      to[at] = box.lower[k];
      to[at + 2 * mt::kFan] = box.upper[k];
    }
  };
  Box nowhere{};
  nowhere.lower[0] = nowhere.upper[0] = kNowhere;
  // Of tiles begin..end - 1 in the order of the leaves.
  const auto box_of = [&](size_t begin, size_t end) {
    if (begin >= end) return nowhere;
    Box box;
    box.lower.fill(INT16_MAX);
    box.upper.fill(INT16_MIN);
    for (size_t i = begin; i < end; ++i)
      for (int k = 0; k < mt::kBoxCoordinates; ++k) {
        const int16_t value = box_coordinate(points[order[i]], k);
        box.lower[k] = std::min(box.lower[k], value);
        box.upper[k] = std::max(box.upper[k], value);
      }
    return box;
  };
  const auto put_all = [&](size_t count, size_t tiles_of_each, std::vector<int16_t>& boxes) {
    const size_t filled = (count + mt::kFan - 1) / mt::kFan * mt::kFan;
    boxes.resize(filled / mt::kFan * mt::kBoxNumbers);
    for (size_t i = 0; i < filled; ++i)
      put(box_of(i * tiles_of_each, std::min<size_t>((i + 1) * tiles_of_each, tiles_)), i, boxes);
  };
  const size_t leaves = tile_.size() / mt::kLeafTiles;
  put_all(leaves, mt::kLeafTiles, leaf_boxes_);
  put_all(leaves / mt::kFan, mt::kBlockTiles, block_boxes_);
}

mt::TileIndexView TileIndex::view() const {
  const int blocks = static_cast<int>(tile_.size() / mt::kBlockTiles);
  return {.blocks = blocks,
          .groups = (blocks + mt::kFan - 1) / mt::kFan,
          .block_boxes = block_boxes_.data(),
          .leaf_boxes = leaf_boxes_.data(),
          .first = first_.data(),
          .norm = norm_.data(),
          .rest = rest_.data(),
          .tile = tile_.data()};
}

mt::TileQuery TileIndex::query(const mt::FineFeatures& cell) const {
  const Point point = this->point(cell);
  mt::TileQuery query{};
  for (int k = 0; k < mt::kBoxCoordinates; ++k) query.box[k] = box_coordinate(point, k);
  for (int k = 0; k < mt::kFirstCoordinates; ++k) {
    const int16_t value = first_coordinate(point, k);
    query.norm += value * value;
    query.first[k] = static_cast<int16_t>(-2 * value);
    query.remainder = value;
  }
  for (int k = 0; k < mt::kRestCoordinates; ++k) query.rest[k] = rest_coordinate(point, k);
  return query;
}

int32_t TileIndex::limit_within(int32_t distance) {
  // An exact distance was rounded down.
  const double limit = (distance_of(distance + 1) + kRounding) * kUnit;
  return static_cast<int32_t>(std::min(limit * limit, static_cast<double>(mt::kFarthestLimit)));
}

uint32_t TileIndex::limit_beyond(int32_t distance) {
  const double limit = std::max(0.0, (distance_of(distance) - kRounding) * kUnit);
  return static_cast<uint32_t>(limit * limit);
}

}  // namespace mosaic
