#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# usage: simd_linkage.sh LIBRARY...
# The kernels are built once for each instruction set. A build may not define a symbol that the linker
# could use in place of another build's: its only global symbol is its CpuBuild, and none is weak, except
# for read-only tables (from Highway 1.0.7 on, functions have some), which contain no instructions. Of
# these, no two builds may have one with the same name.
set -eu
tables=
for library in "$@"; do
  # name|value|class|type|size|line|section
  defined=$(nm --format=sysv --defined-only --extern-only "$library" |
    awk -F '|' 'NF == 7 { gsub(/ /, ""); print ($4 == "OBJECT" && $7 ~ /^\.rodata/ ? "table" : "other"), $1 }')
  others=$(printf '%s\n' "$defined" | sed -n 's/^other //p')
  case "$others" in
  *kCpuBuild_v[234]*) ;;
  *) echo "$library: no kernels in it"; exit 1 ;;
  esac
  if [ "$(printf '%s\n' "$others" | wc -l)" != 1 ]; then
    echo "$library defines more than its CpuBuild and tables:"
    printf '%s\n' "$others"
    exit 1
  fi
  tables="$tables$(printf '%s\n' "$defined" | sed -n 's/^table //p')
"
done
shared=$(printf '%s' "$tables" | sed '/^$/d' | sort | uniq -d)
if [ -n "$shared" ]; then
  echo "more than one library defines:"
  printf '%s\n' "$shared"
  exit 1
fi
