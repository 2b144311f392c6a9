#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tests that tests mirror the sources: mirror_test.py ROOT

tests/FLOOR/FOLDER/NAME_test.cpp (or .py) is the test of FLOOR/FOLDER/NAME.cpp or NAME.h. Where there
is no such source, the test must say at its top what it tests instead: in C++ by a `/// @file` and a
sentence after the line with the licence, in Python by a docstring.
"""

import ast
import pathlib
import re
import sys

FLOORS = ["gather", "gst", "mosaic", "kernels", "executor", "cpu", "cuda"]
HEADER = re.compile(r"// SPDX-License-Identifier: [^\n]+\n/// @file\n/// [^\n]*\w")


def has_source(root, test):
    """Whether there is a source in the same folder of the floor, with the same name."""
    stem = root / test.relative_to(root / "tests").with_name(re.sub(r"_test$", "", test.stem))
    return any(stem.with_name(stem.name + suffix).is_file() for suffix in (".cpp", ".h"))


def explains_itself(test):
    text = test.read_text(encoding="utf-8")
    if test.suffix == ".py":
        return ast.get_docstring(ast.parse(text)) is not None
    return HEADER.match(text) is not None


def main():
    root = pathlib.Path(sys.argv[1])
    tests = sorted(
        test
        for floor in FLOORS
        for test in (root / "tests" / floor).rglob("*_test.*")
        if test.suffix in (".cpp", ".py")
    )
    faults = [test for test in tests if not has_source(root, test) and not explains_itself(test)]
    for test in faults:
        print(f"failed: {test.relative_to(root)} has no source of its name, and no `/// @file` says why")
    if not tests:
        print("failed: no tests found")
    sys.exit(1 if faults or not tests else 0)


main()
