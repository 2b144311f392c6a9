# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes PTX that drivers older than the compiler accept: embed_ptx.py IN PTX CPP.

A driver refuses PTX that declares a later version than its own, even if nothing in the text needs
that version. The kernels need no more than version 7.7 (CUDA 11.7), which is declared here. The only
later feature, hints to the assembler, is removed. PTX and CPP are written: the text, and the text as
C++ source. See
cuda/gpu_kernels.h for the name in the C++ source.
"""

import pathlib
import re
import sys

VERSION = (7, 7)
PIECE = 16000  # characters; compilers limit the length of a literal

source, ptx, cpp = map(pathlib.Path, sys.argv[1:])
text = source.read_text()
version = tuple(map(int, re.search(r"^\.version (\d+)\.(\d+)$", text, re.MULTILINE).groups()))
if version > VERSION:
    text = re.sub(r"^\.version .*$", ".version %d.%d" % VERSION, text, flags=re.MULTILINE)
    text = re.sub(r'^[ \t]*\.pragma "used_bytes_mask [^"]*";\n', "", text, flags=re.MULTILINE)
ptx.write_text(text)
pieces = [text[i : i + PIECE] for i in range(0, len(text), PIECE)]
cpp.write_text(
    '#include "cuda/gpu_kernels.h"\n'
    "namespace mt {\n"
    "const char kGpuPtx[] =\n" + "\n".join('R"PTX(' + piece + ')PTX"' for piece in pieces) + ";\n"
    "}  // namespace mt\n"
)
