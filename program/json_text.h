// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace mosaic_program {

/// A text as JSON has it, between quotation marks. Bytes that are not UTF-8 are replaced.
std::string json_text(const std::string& text);

}  // namespace mosaic_program
