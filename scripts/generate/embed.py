# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes a file as C++ source: embed.py IN OUT. See cuda/gpu_kernels.h for the names."""

import pathlib
import sys

image = pathlib.Path(sys.argv[1]).read_bytes()
lines = [",".join(map(str, image[i : i + 32])) for i in range(0, len(image), 32)]
# The header declares the constants extern; otherwise `const` would give them internal linkage.
pathlib.Path(sys.argv[2]).write_text(
    '#include "cuda/gpu_kernels.h"\n'
    "namespace mt {\n"
    "alignas(64) const unsigned char kGpuKernels[] = {\n" + ",\n".join(lines) + "};\n"
    "const size_t kGpuKernelsSize = sizeof(kGpuKernels);\n"
    "}  // namespace mt\n"
)
