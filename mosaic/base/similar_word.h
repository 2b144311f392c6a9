// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace mosaic {

/// The word that somebody may have meant who wrote another one; empty: none is similar enough.
std::string similar_word(std::string_view written, std::span<const std::string> words);

/// The same as " (did you mean NAME?)"; empty: none is similar enough.
/// @param mark before the word, as the dashes of an option
std::string did_you_mean(std::string_view written, std::span<const std::string> words,
                         std::string_view mark = "");

}  // namespace mosaic
