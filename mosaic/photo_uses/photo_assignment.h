// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mosaic/assignment/assignment.h"
#include "mosaic/photo_uses/uses.h"

namespace mosaic {

/// Solves assignment problems whose columns are tiles, but in which photos are counted: of a
/// photo's tiles each cell considers the cheapest, and its held tile costs less by the switching
/// price. The solver's columns are then photos, and its answer is an optimum over all photos and
/// variants. Memory is kept from one solve to the next.
class PhotoAssignment {
 public:
  using Clock = AssignmentSolver::Clock;

  /// @param problem columns are tiles. The caller has set `single`; `capacity` is set here
  /// @param uses    if tiles are counted, the columns stay tiles, and `capacity` is all that is set
  /// @return Assignment::column holds tiles; the duals are those of the solved problem, whose
  ///         columns are units. Valid until the next call. Throws as AssignmentSolver::solve() does
  const Assignment& solve(AssignmentProblem& problem, const UseLimit& uses,
                          std::optional<Clock::time_point> deadline = std::nullopt,
                          Effort effort = Effort::kExact);

  // The photos of the last problem, where photos were counted. Valid until the next solve().

  int photos() const { return photos_; }  ///< groups are photos here, see UseLimit::unit()
  int photo_of(int32_t tile) const { return photo_of_[tile]; }
  /// Calls visit(tile) for the tiles of a photo, ascending.
  template <class Visit>
  void for_each_tile(int photo, const Visit& visit) const {
    if (!uses_.groups)
      for (int32_t tile = photo; tile < tiles_; tile += photos_) visit(tile);
    else
      for (int32_t first = 0; first < tiles_; first += uses_.groups->photos())
        for (const int32_t member : uses_.groups->photos(photo)) visit(first + member);
  }
  int held(int row) const { return held_[row]; }  ///< the photo that the row holds, or -1
  struct List {
    std::span<const int32_t> photos, costs;  ///< ascending by cost; switching price not subtracted
    std::span<const int32_t> tiles;          ///< the cheapest of each photo
  };
  List list(int row) const;

  // What photos cost the rows of the last problem, which, with its functions, must still exist.

  int32_t bound(int row) const { return problem_->bound[row]; }  ///< see AssignmentProblem
  /// What a photo's cheapest tile costs a row; for the tile that
  /// it holds, the switching price is subtracted.
  int64_t priced(int row, int photo) const { return priced_below(row, photo, INT64_MAX); }
  /// The same, or, without asking for the costs of its tiles, the row's bound where this tells that
  /// the photo costs `limit` or more.
  int64_t priced_below(int row, int photo, int64_t limit) const;
  /// The same for all rows. @param costs [rows]
  void price_all(int photo, std::span<int64_t> costs) const;
  /// The tile that a row shows of a photo.
  int32_t tile_of(int row, int photo) const;

 private:
  struct Choice {
    int32_t tile, cost;
  };
  /// A worker's memory.
  struct Scratch {
    std::vector<int32_t> seen;  ///< [photos]: the row, plus 1, whose list has it
  };
  template <class Job>
  void for_ranges(const Job& job) const;
  template <class Job>
  void for_rows(const Job& job) const;
  void list_photos(int row, Scratch& scratch);
  void price_held(int row);
  Choice cheapest(int row, int photo, int32_t except = -1) const;
  Choice cheapest_but_held(int row, int32_t held, int32_t priced) const;
  AssignmentProblem problem_of_photos() const;
  void read_costs(const CostBlock& block) const;
  void read_costs_of_groups(const CostBlock& block) const;
  int read_cheapest(int row, int wanted, const ColumnPrices& prices, int32_t* photos,
                    int32_t* costs) const;
  ColumnPrices of_tiles(const ColumnPrices& of_photos) const;
  int find(int row, int photo) const;
  Choice choose(int row, int photo) const;
  void answer(const Assignment& solved);

  AssignmentSolver solver_;
  const AssignmentProblem* problem_ = nullptr;
  UseLimit uses_;
  int tiles_ = 0;  ///< columns of the problem
  int photos_ = 0;
  int most_tiles_ = 1;             ///< that a photo has
  std::vector<int32_t> photo_of_;  ///< [tiles]: UseLimit::unit(), for speed
  int listed_ = 0;                 ///< room for photos in a list
  bool keeps_ = false;  ///< the lists are those of a problem that says which rows are unchanged
  std::vector<int32_t> size_;                 ///< [rows]: photos listed
  std::vector<int32_t> photo_, tile_, cost_;  ///< [rows][listed]: ascending by cost, then photo
  /// [rows]: the photo that a row holds, or -1; what it costs (or what the held tile does, where no
  /// other can matter), and by how much less with the switching price, see AssignmentProblem.
  std::vector<int32_t> held_, held_cost_, price_;
  std::vector<Choice> kept_;  ///< [rows]: what a row shows that keeps the photo it holds
  std::vector<Scratch> scratch_;
  Assignment answer_;
};

}  // namespace mosaic
