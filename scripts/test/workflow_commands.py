# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that the commands of GitHub's workflows exist: workflow_commands.py WORKFLOW...

Wherever a workflow has a text that begins with `./run` or `scripts/`, this must be a command of
./run (with parts that `./run test --parts` lists after --only), or a program in scripts/. A step may
run only such a text, or apt-get. Prints what is wrong, and fails if anything is. Runs in the
repository's root.
"""
import os
import pathlib
import subprocess
import sys

import ruamel.yaml


def texts(node, key=""):
    """Every text of a workflow, as (key, text); the texts of a list have the list's key."""
    if isinstance(node, dict):
        for name, value in node.items():
            yield from texts(value, name)
    elif isinstance(node, list):
        for value in node:
            yield from texts(value, key)
    elif isinstance(node, str):
        yield key, node.strip()


def output_of(*command):
    """What the command prints, or None if it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def fault_of_command(words):
    """What is wrong with a command, or None."""
    if words[0] != "./run":
        return None if os.access(words[0], os.X_OK) else f"{words[0]} is not a program"
    if len(words) < 2 or output_of("./run", words[1], "--help") is None:
        return f"./run has no such command: {' '.join(words[1:2])}"
    if "--only" in words:
        known = {line.split()[0] for line in output_of("./run", "test", "--parts").splitlines()}
        unknown = set(words[words.index("--only") + 1].split(",")) - known
        if unknown:
            return f"./run test has no such part: {', '.join(sorted(unknown))}"
    return None


def faults(workflow):
    """What is wrong with a parsed workflow, a line each."""
    commands = 0
    for key, text in texts(workflow):
        if text.startswith(("./run", "scripts/")):
            commands += 1
            fault = fault_of_command(text.split())
            if fault:
                yield fault
        elif key == "run" and text != "${{ matrix.command }}" and not text.startswith("apt-get "):
            yield f"a step runs neither ./run nor a program of scripts/: {text}"
    if not commands:
        yield "runs no command of this project"


failed = False
for name in sys.argv[1:]:
    for fault in faults(ruamel.yaml.YAML(typ="safe").load(pathlib.Path(name))):
        print(f"ERROR: {name}: {fault}")
        failed = True
sys.exit(failed)
