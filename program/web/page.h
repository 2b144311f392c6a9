// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string_view>

namespace mosaic_program {

/// The page that shows a mosaic, as one HTML file. scripts/generate/embed_page.py makes it of
/// program/web/page.
std::string_view web_page();

}  // namespace mosaic_program
