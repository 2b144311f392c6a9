#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tests which folder includes which, and the size of files and folders: includes_test.py ROOT

Reads every #include of the floors (gather/, gst/, mosaic/, cpu/, cuda/, executor/, kernels/) and fails when a
floor includes one that it may not know, when folders or files include each other in a cycle, when a
file outside cpu/ and cuda/ includes the list of all kernels, or when docs/architecture.md shows
another order of the folders than the one found. Prints the order found.

Also fails when a folder holds too many files, or a source file too many lines.
"""

import pathlib
import re
import subprocess
import sys

# From top to bottom, with the floors that each may include beside itself. mosaic/ knows no device:
# it sees only the executor.
FLOORS = {
    "gather": ["cpu", "executor", "kernels"],
    "gst": ["mosaic", "cpu", "cuda", "executor", "kernels"],
    "mosaic": ["executor", "kernels"],
    "cpu": ["executor", "kernels"],
    "cuda": ["executor", "kernels"],
    "executor": ["kernels"],
    "kernels": [],
}
ALL_KERNELS = "kernels/all/kernels.h"
INCLUDE_ALL_KERNELS = ["cpu", "cuda"]
MOST_FILES = 25
MOST_LINES = 400
SOURCES = (".h", ".cpp", ".cu", ".py", ".sh")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def read_includes(root):
    """{file: [files that it includes]}, paths from the root; generated files are left out."""
    includes = {}
    for floor in FLOORS:
        for path in sorted((root / floor).rglob("*")):
            if path.suffix in (".h", ".cpp", ".cu"):
                included = INCLUDE.findall(path.read_text(encoding="utf-8"))
                includes[str(path.relative_to(root))] = included
    return includes


def folder_of(file):
    return str(pathlib.PurePath(file).parent)


def floor_of(file):
    return file.split("/")[0]


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
    """The folders of a floor by level, from the top. A folder is one level above the highest that it
    includes."""
    height = {}

    def measure(node):
        if node not in height:
            below = [other for other in graph.get(node, ()) if floor_of(other + "/") == part]
            height[node] = 1 + max((measure(other) for other in below), default=0)
        return height[node]

    own = [node for node in graph if floor_of(node + "/") == part]
    for node in own:
        measure(node)
    return [
        sorted(node for node in own if height[node] == level)
        for level in range(max(height[node] for node in own), 0, -1)
    ]


def order_of(graph):
    """The order of the folders as text. The graph must have no cycle."""
    lines = []
    for floor in FLOORS:
        for level in levels(graph, floor):
            lines.append("  ".join(folder + "/" for folder in level))
    return "\n".join(lines) + "\n"


def faults(includes):
    found = []
    graph = graph_of_folders(includes)
    for file, included in includes.items():
        for other in included:
            floor, below = floor_of(file), floor_of(other)
            if other not in includes:
                found.append(f"{file} includes {other}, which is not in {', '.join(FLOORS)}")
            elif below != floor and below not in FLOORS[floor]:
                found.append(f"{file} includes {other}, but {floor}/ may not know {below}/")
            if other == ALL_KERNELS and floor not in INCLUDE_ALL_KERNELS:
                found.append(f"{file} includes every kernel; include those that it launches")
    cycle = find_cycle(graph)
    if cycle:
        steps = [graph[a][b] for a, b in zip(cycle, cycle[1:])]
        found.append("folders include each other in a cycle: " + ", ".join(steps))
    cycle = find_cycle(includes)
    if cycle:
        found.append("files include each other in a cycle: " + " -> ".join(cycle))
    return found


def kept_files(root):
    """The files under version control, or all files where there is no git (in a source archive)."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [name for name in listed.stdout.split("\0") if name and (root / name).is_file()]
    return [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]


def sizes_exceeded(root):
    found, files_of = [], {}
    for name in kept_files(root):
        files_of.setdefault(folder_of(name), []).append(name)
        if not name.endswith(SOURCES):
            continue
        lines = (root / name).read_text(encoding="utf-8").count("\n")
        if lines > MOST_LINES:
            found.append(f"{name} has {lines} lines, more than {MOST_LINES}")
    for folder, names in sorted(files_of.items()):
        if len(names) > MOST_FILES:
            found.append(f"{folder} holds {len(names)} files, more than {MOST_FILES}")
    return found


def shown_in(document):
    """The order in the document: the code block that begins with the top folder."""
    blocks = re.findall(r"^```\n(.*?)^```$", document, re.M | re.S)
    return next((block for block in blocks if block.startswith("gather/")), "")


def main():
    root = pathlib.Path(sys.argv[1])
    includes = read_includes(root)
    found = faults(includes) + sizes_exceeded(root)
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
