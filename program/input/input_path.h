// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace mosaic_program {

/// The path of an input that is a file, whether or not there is one; empty: the input is an
/// address. A file may have a name that looks like an address.
std::string input_path(const std::string& input);

}  // namespace mosaic_program
