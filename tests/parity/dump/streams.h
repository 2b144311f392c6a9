// SPDX-License-Identifier: LGPL-2.1-or-later
// Reads standard input and writes standard output for the dump programs.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace parity {

/// Fills `values`. Returns false if the input ended before.
template <class T>
bool read(std::vector<T>& values) {
  return std::fread(values.data(), sizeof(T), values.size(), stdin) == values.size();
}

/// Reads `count` values. Ends the program if there are fewer.
template <class T>
std::vector<T> read(size_t count) {
  std::vector<T> values(count);
  if (!read(values)) std::exit(1);
  return values;
}

template <class Values>
void write(const Values& values) {
  std::fwrite(values.data(), sizeof values[0], values.size(), stdout);
}

}  // namespace parity
