# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes profiles as GStreamer's presets: write_presets.py OUT VERSION TOML...

A preset sets `profile-name`, which writes all the properties of the look: so the profiles are said
once, and copies that GStreamer makes in the user's data folder stay right.
"""

import pathlib
import re
import sys

# The name is that of the element's type: GStreamer looks for it here and in the name of the file.
parts = [f"[_presets_]\nelement-name=GstMosaicTemporal\nversion={sys.argv[2]}\n"]
for path in sorted(map(pathlib.Path, sys.argv[3:])):
    description = re.search(r'^description = "(.*)"$', path.read_text("ascii"), re.MULTILINE)
    parts.append(f"[{path.stem}]\n_meta/comment={description[1]}\nprofile-name={path.stem}\n")
pathlib.Path(sys.argv[1]).write_text("\n".join(parts))
