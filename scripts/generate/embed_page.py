# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes one HTML file of a page, its style and its scripts, and writes it as C++ source.

usage: embed_page.py OUT PAGE.html STYLE.css SCRIPT.js...; see program/web/page.h
"""

import pathlib
import sys

out, page, style, *scripts = map(pathlib.Path, sys.argv[1:])
html = page.read_text("utf-8").replace("@STYLE@", style.read_text("utf-8"))
html = html.replace("@SCRIPTS@", "\n".join(script.read_text("utf-8") for script in scripts))
numbers = ",".join(str(byte) for byte in html.encode())
out.write_text(
    '#include "program/web/page.h"\n'
    "namespace mosaic_program {\n"
    "std::string_view web_page() {\n"
    f"  static constexpr unsigned char kPage[] = {{{numbers}}};\n"
    "  return {reinterpret_cast<const char*>(kPage), sizeof kPage};\n"
    "}\n"
    "}  // namespace mosaic_program\n"
)
