#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tests which folder includes which: includes_test.py ROOT

Reads every #include of gst/, mosaic/ and cuda/ and fails when a layer includes one above it, when
folders or files include each other in a cycle, when a file that is not below cuda/run/ includes
the list of all kernels, when a folder holds too many files, or when docs/architecture.md
shows another order of the folders than the one found. Prints the order found.
"""

import pathlib
import re
import sys

LAYERS = ["gst", "mosaic", "cuda"]  # from top to bottom: includes point down only
ALL_KERNELS = "cuda/run/kernels.h"
MOST_FILES = 25
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def read_includes(root):
    """{file: [files that it includes]}, paths from the root; generated files are left out."""
    includes = {}
    for layer in LAYERS:
        for path in sorted((root / layer).rglob("*")):
            if path.suffix in (".h", ".cpp", ".cu"):
                included = INCLUDE.findall(path.read_text(encoding="utf-8"))
                includes[str(path.relative_to(root))] = included
    return includes


def folder_of(file):
    return str(pathlib.PurePath(file).parent)


def graph_of_folders(includes):
    """{folder: {folder that it includes: "file -> file"}}"""
    graph = {}
    for file, included in includes.items():
        below = graph.setdefault(folder_of(file), {})
        for other in included:
            if folder_of(other) != folder_of(file):
                below.setdefault(folder_of(other), f"{file} -> {other}")
    return graph


def find_cycle(graph):
    """A cycle of the graph as a list of its nodes, or None if there is none."""
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node) :] + [node]
        if node in done:
            return None
        path.append(node)
        for other in graph.get(node, ()):
            cycle = visit(other)
            if cycle:
                return cycle
        path.pop()
        done.add(node)
        return None

    for node in graph:
        cycle = visit(node)
        if cycle:
            return cycle
    return None


def levels(graph, part):
    """The folders of gst/, mosaic/ or cuda/ by level, from the top. A folder is one level above the
    highest that it includes."""
    height = {}

    def measure(node):
        if node not in height:
            below = [other for other in graph.get(node, ()) if other.split("/")[0] == part]
            height[node] = 1 + max((measure(other) for other in below), default=0)
        return height[node]

    own = [node for node in graph if node.split("/")[0] == part]
    for node in own:
        measure(node)
    return [
        sorted(node for node in own if height[node] == level)
        for level in range(max(height[node] for node in own), 0, -1)
    ]


def order_of(graph):
    """The order of the folders as text. The graph must have no cycle."""
    lines = []
    for layer in LAYERS:
        for level in levels(graph, layer):
            lines.append("  ".join(folder + "/" for folder in level))
    return "\n".join(lines) + "\n"


def faults(root, includes):
    found = []
    graph = graph_of_folders(includes)
    for file, included in includes.items():
        for other in included:
            if other not in includes:
                found.append(f"{file} includes {other}, which is not in {', '.join(LAYERS)}")
            elif LAYERS.index(other.split("/")[0]) < LAYERS.index(file.split("/")[0]):
                found.append(f"{file} includes {other}, of a layer above")
            if other == ALL_KERNELS and folder_of(file) != folder_of(ALL_KERNELS):
                found.append(f"{file} includes every kernel; include those that it launches")
    cycle = find_cycle(graph)
    if cycle:
        steps = [graph[a][b] for a, b in zip(cycle, cycle[1:])]
        found.append("folders include each other in a cycle: " + ", ".join(steps))
    cycle = find_cycle(includes)
    if cycle:
        found.append("files include each other in a cycle: " + " -> ".join(cycle))
    for folder in [root / layer for layer in LAYERS] + [root / "tests"]:
        for place in [folder, *folder.rglob("*")]:
            count = sum(1 for path in place.iterdir() if path.is_file()) if place.is_dir() else 0
            if count > MOST_FILES:
                found.append(f"{place.relative_to(root)} holds {count} files, more than {MOST_FILES}")
    return found


def shown_in(document):
    """The order in the document: the code block that begins with the top folder."""
    blocks = re.findall(r"^```\n(.*?)^```$", document, re.M | re.S)
    return next((block for block in blocks if block.startswith("gst/")), "")


def main():
    root = pathlib.Path(sys.argv[1])
    includes = read_includes(root)
    found = faults(root, includes)
    graph = graph_of_folders(includes)
    if not find_cycle(graph):
        order = order_of(graph)
        print("Folders from top to bottom; a line includes only lines below it:\n" + order)
        if shown_in((root / "docs/architecture.md").read_text(encoding="utf-8")) != order:
            found.append("docs/architecture.md shows another order than the one above")
    for fault in found:
        print("failed: " + fault)
    sys.exit(1 if found else 0)


main()
