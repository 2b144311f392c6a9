# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes what the program knows of the element: write_property_table.py OUT JSON TOML...

JSON is docs/reference/gst_plugins_cache.json, which a test compares with what the element registers;
the TOML files are the profiles. So the program can tell of both where the plugin is missing. A
property that can be set has to be in one of the groups below.
"""

import json
import pathlib
import re
import sys

GROUPS = {
    "kEveryday": """size tile-size tile-aspect-ratio crop tile-location profile-name config-location fidelity mix lookahead
        unit max-photo-uses min-photo-uses show-within show-for max-tile-uses augment color-variants dedup-radius dedup-similarity cache-location overlay device cuda-device-id
        require-hardware n-threads live-quality""",
    "kLook": """placement error-diffusion-strength rerank neighbor-swap-rounds color-transfer reinhard-l
        reinhard-ab base-blend-min base-blend-max local-contrast-clip local-contrast-grid shadow-lift gamma
        vibrance saturation-boost boost-cool boost-warm contrast-boost color-harmony sharpness skin-protection
        skin-lum-protection feather-width laplacian-blend laplacian-levels""",
    "kMotion": """beta coherence temporal-blend scene-threshold ema-alpha flow flow-size flow-weights
        flow-iterations window-preset window-size window-overlap window-batch window-frames
        window-frames-overlap solver max-solve-time""",
    "kCompatibility": """pipeline ssim-impl swap-impl assemble-impl postprocess-impl keep-intermediate
        intermediate-location png-compression silent""",
}
OF_ALL_ELEMENTS = ["name", "parent", "qos"]
TYPES = {"gint": "kWhole", "guint": "kWhole", "guint64": "kWhole", "gdouble": "kNumber", "gboolean": "kSwitch",
         "gchararray": "kText"}
OF_CONFIGURATION = {"enum": "kWord", "flags": "kWords"}


def text(value):
    return json.dumps(value, ensure_ascii=False)


def entry(name, group, of, types):
    words = [word["name"] for word in types.get(of["type"], {}).get("values", [])]
    kind = TYPES.get(of["type"]) or OF_CONFIGURATION[types[of["type"]]["kind"]]
    initial = of["default"].split(" (")[0] if words else of["default"]
    if initial in ("NULL", "(none)"):
        initial = ""
    return (f'    {{{text(name)}, PropertyGroup::{group}, PropertyType::{kind}, {text(of["blurb"])}, '
            f'{text(initial)}, {text(of.get("min", ""))}, {text(of.get("max", ""))}, '
            f'{{{", ".join(map(text, words))}}}}},')


def main():
    plugin = json.loads(pathlib.Path(sys.argv[2]).read_text("utf-8"))["mosaictemporal"]
    properties = {name: of for name, of in plugin["elements"]["mosaictemporal"]["properties"].items()
                  if of["writable"] and name not in OF_ALL_ELEMENTS}
    grouped = [(name, group) for group, names in GROUPS.items() for name in names.split()]
    wrong = sorted(set(properties) ^ {name for name, _ in grouped})
    if wrong or len(grouped) != len(properties):
        sys.exit(f"{sys.argv[0]}: each property belongs to one group, see {', '.join(wrong)}")
    lines = [entry(name, group, properties[name], plugin["other-types"]) for name, group in grouped]
    profiles = []
    for path in sorted(map(pathlib.Path, sys.argv[3:])):
        description = re.search(r'^description = "(.*)"$', path.read_text("ascii"), re.MULTILINE)
        profiles.append(f"    {{{text(path.stem)}, {text(description[1])}}},")
    pathlib.Path(sys.argv[1]).write_text("\n".join([
        '// Written by scripts/generate/write_property_table.py.',
        '#include "program/options/property_table.h"', '', 'namespace mosaic_program {', '',
        'const std::vector<PropertyInfo>& property_table() {',
        '  static const std::vector<PropertyInfo> table = {', *lines, '  };', '  return table;', '}', '',
        'const std::vector<ProfileInfo>& profile_table() {',
        '  static const std::vector<ProfileInfo> table = {', *profiles, '  };', '  return table;', '}', '',
        '}  // namespace mosaic_program', '']), "utf-8")


main()
