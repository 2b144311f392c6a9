#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Makes a film that `mosaic-temporal plan` has planned with Slurm: slurm.sh FOLDER OUTPUT [OPTION OF SBATCH…]
#
# Submits an array of jobs, one for each part, and one that joins them when all have succeeded, and prints the
# number of the latter. FOLDER and OUTPUT are on storage that all nodes share.
set -eu
folder=$1 output=$2
shift 2
parts=$(mosaic-temporal status "$folder" --json | sed 's/.*"parts": \([0-9]*\).*/\1/') || [ $? -eq 3 ]

# A part that says that it can be tried again (75), or was killed, is, a few times. Slurm itself repeats those
# whose node fails.
array=$(FOLDER=$folder sbatch --parsable --requeue --array="0-$((parts - 1))" "$@" <<'PART'
#!/bin/sh
mosaic-temporal part "$SLURM_ARRAY_TASK_ID" "$FOLDER" --quiet
status=$?
if { [ "$status" -eq 75 ] || [ "$status" -gt 128 ]; } && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then scontrol requeue "$SLURM_JOB_ID"; fi
exit "$status"
PART
)
FOLDER=$folder OUTPUT=$output sbatch --parsable --dependency="afterok:$array" "$@" <<'JOIN'
#!/bin/sh
mosaic-temporal join "$FOLDER" --output "$OUTPUT" --quiet
JOIN
