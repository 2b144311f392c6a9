#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Installs nvcc in .cache/venv, from NVIDIA's packages on PyPI: 100 MB, the same for every
# distribution (NVIDIA's container images have gigabytes, and are of few distributions). Prints the
# folder that nvcc is in; on a runner of GitHub, the job's next steps find it in PATH.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
. scripts/lib/common.sh
. scripts/lib/packages.sh

need python3-venv >&2
folder=$("$python" scripts/lib/in_venv.py scripts/ci/nvcc_requirements.txt -c \
  'import nvidia; print(f"{list(nvidia.__path__)[0]}/cu13/bin")') || die "nvcc cannot be installed"
"$folder/nvcc" --version >&2
say "$folder"
[ -z "${GITHUB_PATH:-}" ] || say "$folder" >>"$GITHUB_PATH"
