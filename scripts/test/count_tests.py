# SPDX-License-Identifier: LGPL-2.1-or-later
"""Counts the test cases of a run of `meson test`.

usage: count_tests.py LOGS PLANNED

LOGS is meson's folder of logs, PLANNED a file with the output of `meson test --list`. Prints the
numbers of passed, failed and skipped cases, then a line `failed NAME` for each failed one and a line
`skipped NAME` for each skipped one.
Programs that were stopped, or that did not begin, count as skipped.
"""
import json
import pathlib
import sys
import xml.etree.ElementTree as ElementTree


def results(logs):
    """Each program's result, by its name in meson."""
    log = logs / "testlog.json"
    lines = log.read_text().splitlines() if log.exists() else []
    return {bare(test["name"]): test["result"] for test in map(json.loads, lines)}


def bare(name):
    """The program in `project:suite+suite / program`."""
    return name.rsplit(" / ", 1)[-1].strip()


def cases(logs):
    """(program, name, XML element) of each case. Suites of Google Test are PROJECT.PROGRAM.SUITE;
    all other tests are in one suite for the whole project."""
    log = logs / "testlog.junit.xml"
    if not log.exists():
        return
    for suite in ElementTree.parse(log).iter("testsuite"):
        parts = suite.get("name").split(".", 2)
        for case in suite.iter("testcase"):
            program = bare(parts[1] if len(parts) == 3 else case.get("name"))
            inside = f": {parts[2]}.{case.get('name')}" if len(parts) == 3 else ""
            yield program, program + inside, case


def main():
    logs = pathlib.Path(sys.argv[1])
    result = results(logs)
    planned = [bare(line) for line in pathlib.Path(sys.argv[2]).read_text().splitlines()
               if " / " in line]
    passed, failed, skipped, seen_failing = 0, [], [], set()
    for program, name, case in cases(logs):
        if result.get(program) == "INTERRUPT":
            continue
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(name)
            seen_failing.add(program)
        elif case.find("skipped") is not None:
            skipped.append(name)
        elif program != name or result.get(program) in ("OK", "EXPECTEDFAIL"):
            passed += 1
    # A program that crashed or reached its time limit has no cases in the log.
    failed += [f"{program} ({value.lower()})" for program, value in result.items()
               if value in ("FAIL", "ERROR", "TIMEOUT", "UNEXPECTEDPASS")
               and program not in seen_failing]
    skipped += [f"{program} (stopped at the deadline)" for program, value in result.items()
                if value == "INTERRUPT"]
    skipped += [f"{program} (not begun)" for program in planned if program not in result]
    print(passed, len(failed), len(skipped))
    for name in failed:
        print("failed", name)
    for name in skipped:
        print("skipped", name)


main()
