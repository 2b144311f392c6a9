# SPDX-License-Identifier: LGPL-2.1-or-later
"""The profiles that are compared."""
import pathlib
import tomllib

from mosaicraft.presets import PRESETS


def profiles_with(presets):
    """The profiles by name: mosaicraft's own, and vivid_b from our file in the folder `presets`."""
    with open(pathlib.Path(presets) / "vivid_b.toml", "rb") as file:
        return {**PRESETS, "vivid_b": tomllib.load(file)}
