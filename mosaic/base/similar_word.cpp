// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/base/similar_word.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace mosaic {
namespace {

constexpr size_t kLongest = 64;  // bytes; nobody mistypes a longer word

/// How many letters have to be inserted, deleted, replaced or exchanged with their neighbour.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    std::swap(last, row);
  }
  return last[b.size()];
}

/// Capitals and the marks between words make no difference.
std::string plain(std::string_view word) {
  std::string text;
  for (const char c : word)
    if (c != '-' && c != '_' && c != ' ')
      text += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

}  // namespace

std::string similar_word(std::string_view written, std::span<const std::string> words) {
  const std::string meant = plain(written);
  if (meant.empty() || meant.size() > kLongest) return {};
  std::string best;
  size_t least = (meant.size() + 2) / 3 + 1;  // a third of the letters may be wrong
  for (const std::string& word : words) {
    const std::string other = plain(word);
    // Half of a name is a common way of writing it.
    const bool is_part = meant.size() >= 3 && other.find(meant) != other.npos;
    const size_t steps =
        is_part ? std::min<size_t>(distance(meant, other), 1) : distance(meant, other);
    if (steps >= least || steps >= other.size()) continue;
    least = steps;
    best = word;
  }
  return best;
}

std::string did_you_mean(std::string_view written, std::span<const std::string> words,
                         std::string_view mark) {
  const std::string word = similar_word(written, words);
  return word.empty() ? "" : " (did you mean " + std::string(mark) + word + "?)";
}

}  // namespace mosaic
