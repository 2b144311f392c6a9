# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes profiles as GStreamer's presets: write_presets.py OUT VERSION TOML...

A preset sets only `profile-name`, which sets all properties of the look. So profiles are defined in
one place, and the copies of presets that GStreamer makes in the user's data folder stay valid.
"""

import pathlib
import re
import sys

# `element-name` is the element's GType: GStreamer expects it here and in the name of the file.
parts = [f"[_presets_]\nelement-name=GstMosaicTemporal\nversion={sys.argv[2]}\n"]
for path in sorted(map(pathlib.Path, sys.argv[3:])):
    description = re.search(r'^description = "(.*)"$', path.read_text("ascii"), re.MULTILINE)
    parts.append(f"[{path.stem}]\n_meta/comment={description[1]}\nprofile-name={path.stem}\n")
pathlib.Path(sys.argv[1]).write_text("\n".join(parts))
