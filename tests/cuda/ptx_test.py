# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tests the PTX that nvcc made of the kernels: ptx_test.py PTX kernels/kernel_list.h.

It must contain every kernel, and compute in floating point as CPUs do: in single precision, rounded
to nearest, with no contraction, flushed subnormals or approximation.
"""

import pathlib
import re
import sys

# Double precision, contraction, flushed subnormals, approximate / and sqrt, other roundings.
FORBIDDEN = re.compile(
    r"\.f64|\bfma\b|\bmad\.[\w.]*f32|\.ftz|\.approx|\.full|\.rz\.f32|\.r[mp]\.f32"
)
# Operations without a rounding mode, which the assembler may contract.
UNROUNDED = re.compile(r"\b(add|sub|mul|div|sqrt|rcp)\.(?!rn\.)[\w.]*f32")


def faults(ptx, names):
    """Yields a line for each fault in the text of a PTX file."""
    entries = set(re.findall(r"\.visible \.entry (\w+)\(", ptx))
    wanted = {"mt_" + name for name in names}
    for name in sorted(wanted - entries):
        yield f"no entry {name}"
    for name in sorted(entries - wanted):
        yield f"{name} is no kernel of the list"
    for number, line in enumerate(ptx.splitlines(), 1):
        code = line.split("//")[0]
        if FORBIDDEN.search(code) or UNROUNDED.search(code):
            yield f"line {number}: {code.strip()}"


def check_itself():
    """Tests that faults() finds each kind of fault, and none where there is none."""
    entry = ".visible .entry mt_A(\n"
    good = "add.rn.f32 %f1, %f2;\nmad.lo.s32 %r1, %r2, %r3;\ncvt.rzi.s32.f32 %r1, %f1; // fma\n"
    assert not list(faults(entry + good, ["A"]))
    for bad in ("fma.rn.f32", "mul.f32", "div.full.f32", "div.approx.f32", "add.rn.ftz.f32",
                "sqrt.approx.f32", "add.rn.f64", "cvt.f64.f32", "mad.rn.f32", "add.rz.f32"):
        assert len(list(faults(f"{entry}{good}\t{bad} %f1, %f2;\n", ["A"]))) == 1, bad
    assert len(list(faults(entry, ["A", "B"]))) == 1
    assert len(list(faults(entry, []))) == 1


def main():
    check_itself()
    ptx, kernels = (pathlib.Path(path).read_text() for path in sys.argv[1:])
    names = re.findall(r"^  X\((\w+)\)", kernels, re.MULTILINE)
    found = list(faults(ptx, names))
    print(f"{len(names)} kernels, {len(found)} faults", *found, sep="\n")
    return 0 if names and not found else 1


sys.exit(main())
