#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# usage: simd_linkage.sh LIBRARY...
# The kernels are built once for each instruction set. A build may not define a symbol that the linker
# could use in place of another build's: its only global symbol is its CpuBuild, and none is weak.
set -eu
for library in "$@"; do
  defined=$(nm --defined-only --extern-only "$library" | awk 'NF == 3 { print $3 }')
  case "$defined" in
  *kCpuBuild_v[234]*) ;;
  *) echo "$library: no kernels in it"; exit 1 ;;
  esac
  if [ "$(printf '%s\n' "$defined" | wc -l)" != 1 ]; then
    echo "$library defines more than its CpuBuild:"
    printf '%s\n' "$defined"
    exit 1
  fi
done
