// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace mosaic_program {

/// What follows the last dot of a file's name, in lower case; empty: it has none.
std::string extension_of(const std::string& file);

}  // namespace mosaic_program
