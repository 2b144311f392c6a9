# SPDX-License-Identifier: LGPL-2.1-or-later
# The part of `./run test` that checks .github: workflows and issue forms against GitHub's schemas,
# workflows for what makes them unsafe, and that the commands which they run exist. The checkers
# come from PyPI.

workflow_requirements=scripts/test/workflow_requirements.txt

# checker ARGUMENT...: Python with the checkers.
checker() { "$python" scripts/lib/in_venv.py "$workflow_requirements" "$@"; }

# check_files TITLE COMMAND...: counts a check as a test.
check_files() {
  if try "$@"; then
    record_result passed "$1"
  else
    record_result failed "$part: $1"
    cat "$log"
  fi
}

workflow_files() {
  local zizmor
  [ -n "${MOSAIC_NO_INSTALL:-}" ] || need python3-venv
  if ! try "Fetching the checkers of workflows" checker -c ""; then
    record_result skipped "$part: the checkers cannot be fetched: $(reason "$log")"
    return
  fi
  check_files "Schema of workflows" checker -m check_jsonschema \
    --builtin-schema vendor.github-workflows .github/workflows/*.yml
  check_files "Schema of issue forms" checker -m check_jsonschema \
    --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/*_*.yml
  check_files "Schema of issue links" checker -m check_jsonschema \
    --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
  zizmor=$(checker -c 'import sys; print(sys.prefix + "/bin/zizmor")')
  # Findings of low severity are matters of taste.
  check_files "Safety of workflows" "$zizmor" --offline --no-progress --min-severity medium .github
  check_files "Commands of workflows" checker scripts/test/workflow_commands.py \
    .github/workflows/*.yml
}
