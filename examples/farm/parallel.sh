#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Makes a film that `mosaic-temporal plan` has planned with GNU parallel: parallel.sh FOLDER OUTPUT [OPTION…]
#
# OPTIONs are parallel's: --jobs 2 for two parts at once; --sshlogin 4/one,4/two for other machines, on which
# FOLDER has the same path. The same command goes on after an interruption.
set -eu
folder=$1 output=$2
shift 2
parts=$(mosaic-temporal status "$folder" --json | sed 's/.*"parts": \([0-9]*\).*/\1/') || [ $? -eq 3 ]
seq 0 "$((parts - 1))" | parallel --will-cite --resume-failed --joblog "$folder/parallel.log" --retries 3 \
  --quote "$@" mosaic-temporal part {} "$folder" --quiet
mosaic-temporal join "$folder" --output "$output"
