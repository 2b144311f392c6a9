# SPDX-License-Identifier: LGPL-2.1-or-later
# The part of `./run test` in which other programs make the parts of a film as examples/farm has them:
# Slurm, with daemons of its own, and OpenJD; and the file for Kubernetes against its schema.

farm_requirements=scripts/test/farm_requirements.txt
farm_packages=(slurm-wlm munge ffmpeg python3-gi python3-venv)

# farm_test OPENJD CLASS
farm_test() {
  PYTHONPATH=$PWD/tests PYTHONDONTWRITEBYTECODE=1 \
    "$python" tests/examples/farm_test.py examples build/program/mosaic-temporal "$@"
}

farms() {
  local tools
  need_where_available "${farm_packages[@]}"
  use_plugin build
  if [ -x /usr/sbin/slurmctld ] && [ -x /usr/sbin/munged ]; then
    check_files "Slurm" farm_test openjd Slurm
  else
    record_result skipped "$part: no Slurm (apt-get install slurm-wlm munge)"
  fi
  if ! try "Fetching OpenJD" "$python" scripts/lib/in_venv.py "$farm_requirements" -c ""; then
    record_result skipped "$part: OpenJD cannot be fetched: $(reason "$log")"
    return
  fi
  tools=$("$python" scripts/lib/in_venv.py "$farm_requirements" -c 'import sys; print(sys.prefix + "/bin")')
  check_files "Template of OpenJD" "$tools/openjd" check examples/farm/openjd.yaml
  check_files "OpenJD" farm_test "$tools/openjd" OpenJd
  check_files "Kubernetes' schema" "$tools/kubernetes-validate" --strict examples/farm/kubernetes.yaml
}
