#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tests what the documents say of the sources and of each other: documents_test.py ROOT

Fails for a link to a file or a heading that does not exist, for a message, a field or a kind of error
that gst/ makes and docs/messages.md does not describe, or describes but gst/ does not make, for a
profile that docs/properties.md does not name, and for a table of properties that does not say what
the plugin's description says (scripts/reference/property_table.py).
"""

import pathlib
import re
import subprocess
import sys

MESSAGES = "docs/messages.md"
PROPERTIES = "docs/properties.md"
# Types of GLib and GStreamer as the tables call them.
TYPES = {"G_TYPE_UINT": "uint", "G_TYPE_INT": "int", "G_TYPE_UINT64": "uint64",
         "G_TYPE_DOUBLE": "double", "G_TYPE_STRING": "string", "G_TYPE_BOOLEAN": "boolean",
         "GST_TYPE_CLOCK_TIME": "clock time"}


def documents(root):
    """The files of Markdown; folders of builds and of downloads have none of ours."""
    tops = [path for path in root.iterdir() if not path.name.startswith((".", "build", "out"))]
    for top in sorted(tops):
        yield from [top] if top.suffix == ".md" else sorted(top.rglob("*.md"))


def prose(text):
    """The text without blocks and pieces of code, in which brackets are no links."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(path):
    """The anchors that GitHub gives to the headings of a document."""
    found = set()
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    for heading in re.findall(r"^#+ +(.+?) *#*$", text, re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)  # a link's text
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = 0
        while (name if number == 0 else f"{name}-{number}") in found:
            number += 1
        found.add(name if number == 0 else f"{name}-{number}")
    return found | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))


def links(text):
    text = prose(text)
    yield from re.findall(r"\]\(<?([^)\s>]+)>?(?: +\"[^\"]*\")?\)", text)
    yield from re.findall(r"^\[[^\]]+\]: +(\S+)", text, re.M)
    yield from re.findall(r"<(?:a|img|source)\b[^>]*?(?:href|src)=\"([^\"]+)\"", text)


def broken_links(root):
    for document in documents(root):
        for link in links(document.read_text(encoding="utf-8")):
            if re.match(r"[a-z]+:", link):
                continue
            file, _, anchor = link.partition("#")
            target = (document.parent / file).resolve() if file else document
            place = f"{document.relative_to(root)}: {link}"
            if not target.exists():
                yield f"{place}: there is no such file"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                yield f"{place}: there is no such heading"


def section(text, heading):
    """The part of a document below a heading, up to the next of its level or above; "" if there is
    none."""
    level = re.search(rf"^(#+) {re.escape(heading)}\n", text, re.M)
    if not level:
        return ""
    return re.split(rf"^#{{1,{len(level[1])}}} ", text[level.end():], maxsplit=1, flags=re.M)[0]


def fields_in_table(text):
    """{name: type} of the rows `name`, `name` | type | ... of all tables in the text."""
    fields = {}
    for names, kind in re.findall(r"^\| *((?:`[\w-]+`(?:, *)?)+) *\| *([^|]+?) *\|", text, re.M):
        fields.update(dict.fromkeys(re.findall(r"`([\w-]+)`", names), kind))
    return fields


def fields_in_source(text):
    """{name: type} of what gst_structure_new() and gst_structure_set() are given."""
    return {name: TYPES.get(kind, kind)
            for name, kind in re.findall(r"\"([a-z][\w-]*)\",\s*(G(?:ST)?_TYPE_\w+)", text)}


def function(source, name):
    """The body of a function."""
    return re.search(rf"^\S[^\n]*\b{name}\(.*?^}}", source, re.M | re.S)[0]


def structures(root):
    """{heading of docs/messages.md: the fields that the source gives this structure}"""
    stats = (root / "gst/messages/stats.cpp").read_text(encoding="utf-8")
    tile = (root / "gst/messages/tile_message.cpp").read_text(encoding="utf-8")
    both = fields_in_source(function(stats, "set_photos")) | fields_in_source(function(stats, "set_times"))
    return {
        "The property `stats`": fields_in_source(function(stats, "make_stats_structure")) | both,
        "`mosaictemporal-stats`": fields_in_source(function(stats, "make_stats_message")) | both,
        "`mosaictemporal-tile`": fields_in_source(function(tile, "make_tile_message")),
    }


def problems_of_fields(root, page):
    for heading, made in structures(root).items():
        described = fields_in_table(section(page, heading))
        for name in sorted(made.keys() | described.keys()):
            if made.get(name) != described.get(name):
                yield (f"{MESSAGES}, {heading}: the field {name} is {described.get(name, 'missing')}, "
                       f"in the source {made.get(name, 'missing')}")


def sources(root):
    for path in sorted((root / "gst").rglob("*.cpp")):
        yield path.read_text(encoding="utf-8")


def made_messages(root):
    """What gst/ posts: names of element messages, kinds of messages, codes of errors."""
    made = set()
    for text in sources(root):
        made.update(re.findall(r"gst_structure_new\(\s*\"(mosaictemporal-[\w-]+)\"", text))
        made.update(re.findall(r"\bgst_message_new_(?!element\b)(\w+)", text))
        made.update(f"GST_{domain}_ERROR_{code}" for domain, code in re.findall(
            r"GST_ELEMENT_(?:ERROR|WARNING|INFO)\(\s*[^,]+,\s*(\w+),\s*(\w+)", text))
        made.update(re.findall(r"\bGST_PROGRESS_TYPE_\w+", text))
    errors = (root / "gst/messages/errors.cpp").read_text(encoding="utf-8")
    made.update(re.findall(r"\bGST_(?:LIBRARY|RESOURCE|STREAM)_ERROR_[A-Z_]+\b", errors))
    return made


def problems_of_messages(root, page):
    made = made_messages(root)
    described = set(re.findall(r"^\| *`([\w-]+)`", page, re.M))
    for name in sorted(made - described - set(re.findall(r"^#+ `([\w-]+)`", page, re.M))):
        yield f"{MESSAGES} does not describe {name}"
    for name in sorted(described - made):
        if re.match(r"GST_|mosaictemporal-", name):
            yield f"{MESSAGES} describes {name}, which is not posted"


def problems_of_profiles(root, page):
    listed = set(re.findall(r"^\| `([\w]+)` \|", section(page, "Looks"), re.M))
    for path in sorted((root / "presets").glob("*.toml")):
        if path.stem not in listed:
            yield f"{PROPERTIES} does not name the profile {path.stem}"


def problems_of_properties(root):
    done = subprocess.run(
        [sys.executable, root / "scripts/reference/property_table.py", "--check",
         root / "docs/reference/gst_plugins_cache.json", root / PROPERTIES],
        capture_output=True, text=True)
    if done.returncode:
        yield done.stdout + done.stderr


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    page = (root / MESSAGES).read_text(encoding="utf-8")
    problems = [*broken_links(root), *problems_of_fields(root, page),
                *problems_of_messages(root, page), *problems_of_properties(root),
                *problems_of_profiles(root, (root / PROPERTIES).read_text(encoding="utf-8"))]
    for problem in problems:
        print(f"failed: {problem}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
