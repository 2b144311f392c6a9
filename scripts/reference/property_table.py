#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes the table of all properties into a document, from the plugin's description.

usage: property_table.py DESCRIPTION DOCUMENT          writes the table anew
       property_table.py --check DESCRIPTION DOCUMENT  fails if the document has another one

DESCRIPTION is docs/reference/gst_plugins_cache.json, of which a test checks that it describes the
plugin. The table is between the two comments of DOCUMENT that name this script. With --check it also
fails if DOCUMENT names a property in the first column of another table that does not exist.
"""
import json
import pathlib
import re
import sys

BEGIN = "<!-- made by scripts/reference/property_table.py -->"
END = "<!-- end of the table -->"
UNLIMITED = str(2 ** 64 - 1)
NAMES = {"gboolean": "switch", "gchararray": "text"}


def properties_of(description):
    plugin = json.loads(description.read_text(encoding="utf-8"))["mosaictemporal"]
    return (plugin["elements"]["mosaictemporal"]["properties"],
            {name: kind.get("values", []) for name, kind in plugin["other-types"].items()})


def values_of(prop, kinds):
    """The range, or the words that are allowed."""
    if "min" in prop:
        large = float(prop["max"]) >= 2 ** 31 - 1
        return f"{prop['min']} or more" if large else f"{prop['min']} to {prop['max']}"
    if prop["type"] in kinds:
        return ", ".join(f"`{value['name']}`" for value in kinds[prop["type"]])
    return NAMES.get(prop["type"], "")


def default_of(prop):
    default = prop.get("default")
    if default in (None, "NULL", "(none)"):
        return ""
    if "min" in prop:
        return "unlimited" if default == UNLIMITED else default
    return f"`{re.sub(r' [(].*', '', default)}`"


def row(name, prop, kinds):
    text = prop["blurb"].replace("|", "\\|").replace("*", "\\*")
    values = values_of(prop, kinds) if prop["writable"] else "read only"
    return f"| `{name}` | {default_of(prop)} | {values} | {text} |"


def table(description):
    properties, kinds = properties_of(description)
    rows = [row(name, properties[name], kinds) for name in sorted(properties)]
    return "\n".join(["| property | default | values | what it is |", "| --- | --- | --- | --- |", *rows])


def main():
    check = sys.argv[1] == "--check"
    description, document = map(pathlib.Path, sys.argv[-2:])
    text = document.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{document} has no place for the table: {BEGIN} and {END}")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    new = f"{before}{BEGIN}\n{table(description)}\n{END}{after}"
    if not check:
        document.write_text(new, encoding="utf-8")
        return
    unknown = {name for cell in re.findall(r"^\| (`[a-z][^|]*) \|", section(before), re.M)
               for name in re.findall(r"`([a-z-]+)`", cell)} - set(properties_of(description)[0])
    if unknown:
        sys.exit(f"{document} names properties that do not exist: {', '.join(sorted(unknown))}")
    if new != text:
        sys.exit(f"{document}: the table of properties is not that of {description} "
                 "(./run reference writes it)")


def section(text):
    """The part of the text with the tables whose first column has properties."""
    return "".join(re.findall(r"^\| property \|.*?(?=^$)", text, re.M | re.S))


main()
