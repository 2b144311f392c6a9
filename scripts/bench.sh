# SPDX-License-Identifier: LGPL-2.1-or-later
# `./run bench`: measures time and memory; see bench/README.md. With --record the tables are kept in
# docs/performance.md and the README.

what=compare record="" pairs=3
for argument in "$@"; do
  case "$argument" in
    scale | kernels | gather | stream | farm | loading) what=$argument ;;
    --record) record=1 ;;
    *) pairs=$argument ;;
  esac
done
readme=README.md performance=docs/performance.md plot=docs/performance.png
work=$cache/bench
mkdir -p "$work"

if [ "$what" = kernels ]; then
  need "${build_packages[@]}" libbenchmark-dev
  configure build-bench -Dtests=false -Dbench=true -Dcuda=disabled
  step "Building the benchmark of kernels" ninja -C build-bench -j "$jobs" bench/kernels_bench
  say "Timing every kernel; this takes about a minute …"
  build-bench/bench/kernels_bench >"$work/kernels.md" || die "the benchmark of kernels failed"
  "$python" bench/page.py kernels ${record:+"$performance"} <"$work/kernels.md"
  return 0
fi

if [ "$what" = gather ]; then
  need "${build_packages[@]}" python3-numpy
  configure build-bench -Dtests=false -Dbench=true -Dcuda=disabled
  step "Building the library" ninja -C build-bench -j "$jobs" gather/libmosaicgather.so.0.1.0
  say "Drawing from a codebook; this takes about a minute …"
  # Debian's Python, for which python3-torch may be installed.
  /usr/bin/python3 bench/gather.py "$PWD/build-bench/gather/libmosaicgather.so.0.1.0" \
    >"$work/gather.md" || die "the benchmark of the library failed"
  "$python" bench/page.py gather ${record:+"$performance"} <"$work/gather.md"
  return 0
fi

need "${build_packages[@]}" "${bench_packages[@]}"
build_plugin
use_plugin build
fetch_media || die "the photos and the clip to measure with cannot be fetched: $(reason "$log")"

if [ "$what" = stream ]; then
  say "Sending mosaics, and encoding them as video; this takes about a quarter of an hour …"
  "$python" bench/stream.py build/program/mosaic-temporal "$(dirname "$clip")" "$photos" "$work" \
    2>"$logs/bench-stream.log" >"$work/stream.md" || die "the benchmark of streams failed: $logs/bench-stream.log"
  "$python" bench/page.py stream ${record:+"$performance"} <"$work/stream.md"
elif [ "$what" = farm ]; then
  say "Making a mosaic of ten minutes four times; this takes about a quarter of an hour …"
  "$python" bench/farm.py build/program/mosaic-temporal "$(dirname "$clip")" "$photos" "$work" \
    2>"$logs/bench-farm.log" >"$work/farm.md" || die "the benchmark of farms failed: $logs/bench-farm.log"
  "$python" bench/page.py farm ${record:+docs/farm.md} <"$work/farm.md"
elif [ "$what" = loading ]; then
  say "Loading photos of 12 megapixels; this takes about three minutes …"
  "$python" bench/loading.py "$photos" "$work" >"$work/loading.md" || die "the benchmark of loading failed"
  "$python" bench/page.py loading ${record:+"$performance"} <"$work/loading.md"
elif [ "$what" = scale ]; then
  say "Measuring growth; this takes about three minutes …"
  "$python" bench/scale.py "$clip" "$photos" "$work" ${record:+"$performance" "$plot"}
else
  raw=$work/whole-1920x1080.bgr
  decode() {
    ffmpeg -v error -y -i "$clip" -vf scale=1920:1080 -pix_fmt bgr24 -f rawvideo "$raw.part" &&
      mv "$raw.part" "$raw"
  }
  [ -f "$raw" ] || step "Decoding the clip (820 MB)" decode
  say "Comparing; each pair of runs takes more than a minute …"
  "$python" bench/compare.py "$raw" "$clip" "$photos" 1920 1080 40 "$pairs" \
    ${record:+"$readme" "$performance"}
fi
