// SPDX-License-Identifier: LGPL-2.1-or-later
// What a launch of a kernel is for, and what it is.
#pragma once

#include <cstddef>

namespace test {

/// The frame and the pool that a launch is for.
struct CaseSize {
  int width, height;  ///< pixels
  int side;           ///< of a cell, 8..256
  int tiles;          ///< 4 or more

  int columns() const { return (width + side - 1) / side; }
  int rows() const { return (height + side - 1) / side; }
  int cells() const { return columns() * rows(); }
  int left() const { return (width - columns() * side) / 2; }
  int top() const { return (height - rows() * side) / 2; }
  int area() const { return side * side; }
  size_t pixels() const { return size_t(width) * height; }
};

/// Outer cells cut and inner ones whole; cells of more than one strip of pixels; more and fewer
/// tiles than are listed, and than a block has threads.
inline constexpr CaseSize kOddSizes[] = {
    {21, 22, 8, 90}, {67, 30, 24, 500}, {118, 13, 41, 257}, {175, 50, 90, 129}};

template <class Kernel>
struct Launch {
  Kernel kernel;
  int count;
  size_t bytes;  ///< that it reads or writes at least, each once
};

/// The cases of a kernel, for any size:
///
///     static constexpr int kCount;
///     static Launch<Kernel> make(KernelMemory&, const CaseSize&, int which);
///
/// Case 0 is what a frame asks for in which everything is new. A kernel of MT_KERNELS without cases
/// does not compile where they are used.
template <class Kernel>
struct Cases;

}  // namespace test
