# SPDX-License-Identifier: LGPL-2.1-or-later
"""Counts the test cases in meson's JUnit file: prints passed, failed, skipped and what failed."""
import sys
import xml.etree.ElementTree as ElementTree

passed, skipped, failures = 0, 0, []
for case in ElementTree.parse(sys.argv[1]).iter("testcase"):
    if case.find("failure") is not None or case.find("error") is not None:
        failures.append(f"{case.get('classname') or ''}.{case.get('name')}".lstrip("."))
    elif case.find("skipped") is not None:
        skipped += 1
    else:
        passed += 1
print(passed, len(failures), skipped, ", ".join(failures))
