# SPDX-License-Identifier: LGPL-2.1-or-later
# `./run gpu-check [OPTIONS] [FOLDER]`: runs the checks for GPUs on this machine's GPU and writes a
# report to out/gpu-check. FOLDER is a bundle that `./run bundle` made elsewhere; without it, a bundle
# is built here first. The options are those of tests/gpu-check/run.sh, but --emulated takes no folder.

. scripts/bundle.sh
folder="" emulated="" options=()
while [ $# -gt 0 ]; do
  case "$1" in
    --emulated)
      emulated=$PWD/build/tests/emulated-gpu
      options+=(--emulated "$emulated")
      ;;
    --quick) options+=("$1") ;;
    --only)
      [ $# -gt 1 ] || die "gpu-check: --only needs parts: kernels,clips,times,tests,sanitizer,element"
      options+=("$1" "$2")
      shift
      ;;
    -*) die "gpu-check: no such option: $1" ;;
    *) folder=$1 ;;
  esac
  shift
done

driver_found() {
  local dir path=${LD_LIBRARY_PATH:-}
  ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1' && return
  for dir in ${path//:/ }; do
    [ ! -e "$dir/libcuda.so.1" ] || return 0
  done
  return 1
}

[ -n "$emulated" ] || driver_found ||
  die "gpu-check: there is no NVIDIA driver (libcuda.so.1); --emulated uses an emulated GPU"
if [ -z "$folder" ]; then
  make_bundle
  folder=$bundle
fi
[ -x "$folder/gpu-check" ] || die "gpu-check: $folder is not what ./run bundle makes"
[ -z "$emulated" ] || [ -d "$emulated" ] || die "gpu-check: there is no emulated GPU in $emulated"
"$folder/gpu-check" "${options[@]}" out/gpu-check || die "gpu-check failed, or found no GPU: see above"
