# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes profiles as C++ source: embed_profiles.py OUT TOML... See mosaic/settings/built_in_profiles.h."""

import json
import pathlib
import sys

entries = []
for path in sorted(map(pathlib.Path, sys.argv[2:])):
    # An ASCII string in JSON is also a C++ string literal.
    entries.append(f"    {{{json.dumps(path.stem)}, {json.dumps(path.read_text('ascii'))}}},\n")
pathlib.Path(sys.argv[1]).write_text(
    '#include "mosaic/settings/built_in_profiles.h"\n'
    "namespace mosaic {\n"
    "std::span<const BuiltInProfile> built_in_profiles() {\n"
    "  static constexpr BuiltInProfile kProfiles[] = {\n" + "".join(entries) + "  };\n"
    "  return kProfiles;\n"
    "}\n"
    "}  // namespace mosaic\n"
)
