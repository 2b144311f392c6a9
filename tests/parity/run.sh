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
if [ "$1" = looks.py ]; then arguments+=(presets); fi
if [ "$1" != colours.py ]; then
  fetch_media || die "the photos to compare cannot be fetched: $(reason "$log")"
  arguments+=("$photos")
fi
exec "$python" scripts/in_venv.py "$here/requirements.txt" "${arguments[@]}"
