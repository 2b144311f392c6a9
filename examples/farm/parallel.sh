#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Has GNU parallel make the parts of a film, and joins them: parallel.sh FOLDER OUTPUT [OPTION OF PARALLEL…]
#
# FOLDER is what `mosaic-temporal plan` has written. Useful options: --jobs 2, two parts at the same time; --sshlogin
# 4/one,4/two, four at the same time on each of the hosts one and two, where FOLDER has the same path. Given again,
# it makes what is missing.
set -eu
folder=$(realpath "$1") output=$2
shift 2
status=$(mosaic-temporal status "$folder" --json) || [ $? -eq 3 ]
parts=${status#*\"parts\": } parts=${parts%%,*}

make_parts() {
  seq 0 "$((parts - 1))" | parallel --will-cite --resume-failed --joblog "$folder/parallel.log" --retries 3 \
    --quote "$@" mosaic-temporal part {} "$folder" --quiet
}

make_parts "$@"
# The log may be of another plan, or a part was removed since.
if ! mosaic-temporal status "$folder" >/dev/null; then
  rm "$folder/parallel.log"
  make_parts "$@"
fi
mosaic-temporal join "$folder" --output "$output"
