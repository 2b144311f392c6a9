#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Has Slurm make the parts of a film, and join them: slurm.sh FOLDER OUTPUT [OPTION OF SBATCH…]
#
# FOLDER is what `mosaic-temporal plan` has written; it and OUTPUT are absolute paths on storage that all nodes
# share. Submits a job array with a task for each part, and a job that joins them when all have succeeded, and
# prints the latter's number. The options are for both, for example --cpus-per-task=2. Given again, it makes what
# is missing.
set -eu
folder=$1 output=$2
shift 2
status=$(mosaic-temporal status "$folder" --json) || [ $? -eq 3 ]
parts=${status#*\"parts\": } parts=${parts%%,*}

# A part that ends with 75, which means "try again", or is killed, is requeued up to three times. Slurm itself
# requeues parts whose node fails.
array=$(FOLDER=$folder sbatch --parsable --requeue --array="0-$((parts - 1))" "$@" <<'PART'
#!/bin/sh
mosaic-temporal part "$SLURM_ARRAY_TASK_ID" "$FOLDER" --quiet
status=$?
if { [ "$status" -eq 75 ] || [ "$status" -gt 128 ]; } && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$status"
PART
)
FOLDER=$folder OUTPUT=$output sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes "$@" <<'JOIN'
#!/bin/sh
mosaic-temporal join "$FOLDER" --output "$OUTPUT" --quiet
JOIN
