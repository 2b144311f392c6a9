// SPDX-License-Identifier: LGPL-2.1-or-later
// Test cases of kernels: launches, and the sizes that they are made for.
#pragma once

#include <cstddef>

namespace test {

/// Sizes of the frame and the pool of a launch.
struct CaseSize {
  int width, height;  ///< pixels
  int side;           ///< of a cell, pixels, 8..256
  int tiles;          ///< in the pool, 4 or more

  int columns() const { return (width + side - 1) / side; }
  int rows() const { return (height + side - 1) / side; }
  int cells() const { return columns() * rows(); }
  int left() const { return (width - columns() * side) / 2; }
  int top() const { return (height - rows() * side) / 2; }
  int area() const { return side * side; }
  size_t pixels() const { return size_t(width) * height; }
};

/// Sizes at which the edge of the frame cuts the outer cells, some cells have several strips of
/// pixels, and the pool is both larger and smaller than a candidate list and than a block's number
/// of threads.
inline constexpr CaseSize kOddSizes[] = {
    {21, 22, 8, 90}, {67, 30, 24, 500}, {118, 13, 41, 257}, {175, 50, 90, 129}};

template <class Kernel>
struct Launch {
  Kernel kernel;
  int count;
  size_t bytes;  ///< bytes that the kernel must read or write, each counted once
};

/// The cases of a kernel, for any size:
///
///     static constexpr int kCount;
///     static Launch<Kernel> make(KernelMemory&, const CaseSize&, int which);
///
/// In case 0 every cell of the frame changed. Tests do not compile if a kernel of MT_KERNELS has no
/// cases.
template <class Kernel>
struct Cases;

}  // namespace test
