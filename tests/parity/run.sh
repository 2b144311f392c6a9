#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# usage: run.sh SCRIPT DUMPER...: compares in the environment of requirements.txt. The demo's photos are
# compared too. Exits 77, which is "skipped", where libraries or photos cannot be fetched.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
script=$1
shift
dumpers=()
for dumper in "$@"; do dumpers+=("$(readlink -f "$dumper")"); done
cd "$here/../.."
. scripts/lib/common.sh
. scripts/lib/media.sh
# OpenBLAS chooses its code by the processor. On one with AMX its products of matrices were rounded
# otherwise than by its code for Haswell and for Skylake with AVX-512, which agreed; up to 3 % of a
# frame's tiles hang on that. So the reference is computed with the same code everywhere.
export OPENBLAS_CORETYPE=Haswell
arguments=("$here/$script" "${dumpers[@]}")
case "$script" in looks.py | gate.py) arguments+=(presets) ;; esac
if [ "$script" != colours.py ]; then
  fetch_media || {
    say "skipped: the photos to compare cannot be fetched: $(reason "$log")"
    exit 77
  }
  arguments+=("$photos")
fi
if [ "$script" = flow.py ]; then # with the distribution's torch; a package index has only larger ones
  exec /usr/bin/python3 "$here/$script" "${dumpers[@]}" "$clip"
fi
if [ "$script" = gate.py ]; then
  arguments+=("$(dirname "$clip")")
  [ "${MOSAIC_SAMPLE_EVERY:-}" != 1 ] || arguments+=(--full)
fi
"$python" scripts/lib/in_venv.py "$here/requirements.txt" -c "" || exit 77
exec "$python" scripts/lib/in_venv.py "$here/requirements.txt" "${arguments[@]}"
