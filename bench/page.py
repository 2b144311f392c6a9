# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tables of measurements in Markdown, and the places in documents where they are kept.

usage: page.py NAME [DOCUMENT] <TABLES

As a program, it prints what it reads below a line that says where and when it was measured. With
DOCUMENT it also replaces what the document has between <!-- measured: NAME --> and
<!-- end of NAME -->.
"""
import datetime
import os
import pathlib
import re
import sys


def processor():
    """The processor's name and the number of cores that this process may use."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    name = re.search(r"^(?:model name|Model)\s*:\s*(.+)$", text, re.M)
    cores = len(os.sched_getaffinity(0))
    return f"{name[1].strip() if name else os.uname().machine}, {cores} core{'s' * (cores > 1)}"


def provenance():
    return f"Measured on {datetime.date.today().isoformat()}: {processor()}."


def table(head, rows):
    """A table whose columns are aligned in the source too: the first to the left, others to the
    right."""
    rows = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(3, *(len(row[i]) for row in rows)) for i in range(len(head))]

    def line(row):
        cells = [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:]))]
        return "| " + " | ".join(cells) + " |"

    rule = ["-" * widths[0], *("-" * (w - 1) + ":" for w in widths[1:])]
    return "\n".join([line(rows[0]), "| " + " | ".join(rule) + " |", *map(line, rows[1:])])


def record(document, name, text):
    """Replaces what a document has between the two markers of that name."""
    path = pathlib.Path(document)
    begin, end = f"<!-- measured: {name} -->", f"<!-- end of {name} -->"
    old = path.read_text(encoding="utf-8")
    if old.count(begin) != 1 or old.count(end) != 1 or old.index(begin) > old.index(end):
        sys.exit(f"{document} has no place for the measurement '{name}': {begin} and {end}")
    before, rest = old.split(begin)
    path.write_text(f"{before}{begin}\n{text.strip()}\n{end}{rest.split(end)[1]}", encoding="utf-8")


def main():
    name, *documents = sys.argv[1:]
    text = f"{provenance()}\n\n{sys.stdin.read().strip()}"
    print(text)
    for document in documents:
        record(document, name, text)


if __name__ == "__main__":
    main()
