#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tests that each kernel is compared with an independent definition: references_test.py ROOT

Compares tests/kernels/references.txt, which says where, with the kernels of
kernels/kernel_list.h and with the tests. Fails for a kernel that is missing in the list or twice in
it, for a test that does not exist, is not built or does not name the kernel, and for a reason that
is missing.
"""

import pathlib
import re
import sys

LIST = "tests/kernels/references.txt"


def kernels(root):
    """The names in MT_KERNELS."""
    text = (root / "kernels/kernel_list.h").read_text(encoding="utf-8")
    body = text[text.index("#define MT_KERNELS(X)"):text.index("#define MT_ENUMERATOR")]
    return re.findall(r"\bX\((\w+)\)", body[len("#define MT_KERNELS(X)"):])


def entries(root):
    """[[kernel, file, rest ...]], a line each."""
    lines = (root / LIST).read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def problems_of_names(expected, listed):
    for name in expected:
        if listed.count(name) != 1:
            yield f"{name} is {listed.count(name)} times in the list, not once"
    for name in sorted(set(listed) - set(expected)):
        yield f"{name} is in the list, but is no kernel"


def problems_of_entry(root, kernel, file="", *rest):
    """What is wrong with the line of a kernel."""
    if file == "-":
        if len(rest) < 5:
            yield f"{kernel}: the list does not say what stands in for a test, and why"
        return
    path = root / "tests" / file
    if not path.is_file():
        yield f"{kernel}: there is no file tests/{file}"
        return
    if len(rest) not in (1, 2) or rest[0].count(".") != 1:
        yield f"{kernel}: a line is KERNEL FILE SUITE.TEST [STAGE]"
        return
    floor, _, place = file.partition("/")
    built = (root / "tests" / floor / "meson.build").read_text(encoding="utf-8")
    if f"'{place.removesuffix('_test.cpp')}'" not in built:
        yield f"{kernel}: tests/{floor}/meson.build does not build {file}"
    suite, test = rest[0].split(".")
    text = path.read_text(encoding="utf-8")
    if not re.search(rf"^TEST(_F|_P)?\({suite}, {test}\)", text, re.M):
        yield f"{kernel}: tests/{file} has no test {rest[0]}"
    stage = root / rest[1] if len(rest) == 2 else path
    if not stage.is_file():
        yield f"{kernel}: there is no file {rest[1]}"
    elif not re.search(rf"\bmt::{kernel}\b", stage.read_text(encoding="utf-8")):
        yield f"{kernel}: {stage.relative_to(root)} does not use mt::{kernel}"


def main():
    root = pathlib.Path(sys.argv[1])
    listed = entries(root)
    problems = list(problems_of_names(kernels(root), [entry[0] for entry in listed]))
    for entry in listed:
        problems += problems_of_entry(root, *entry)
    for problem in problems:
        print(problem)
    print(f"{len(listed)} kernels")
    sys.exit(1 if problems or not listed else 0)


if __name__ == "__main__":
    main()
