#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# usage: run.sh SCRIPT DUMPER: compares in the environment of requirements.txt. The demo's photos are
# compared too, where they are or can be fetched.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dumper=$(readlink -f "$2")
cd "$here/../.."
. scripts/common.sh
. scripts/media.sh
arguments=("$here/$1" "$dumper")
case "$1" in looks.py | gate.py) arguments+=(presets) ;; esac
if [ "$1" != colours.py ]; then
  fetch_media || die "the photos to compare cannot be fetched: $(reason "$log")"
  arguments+=("$photos")
fi
if [ "$1" = gate.py ]; then arguments+=("$(dirname "$clip")" ${MOSAIC_WHOLE_GATE:+--full}); fi
exec "$python" scripts/in_venv.py "$here/requirements.txt" "${arguments[@]}"
