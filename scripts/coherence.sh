# SPDX-License-Identifier: LGPL-2.1-or-later
# Compares the costs and the churn of our assignments with those of photomosaic-video's rule; see
# bench/README.md.

need "${build_packages[@]}" "${bench_packages[@]}" libbenchmark-dev
configure build-bench -Dtests=false -Dbench=true -Dcuda=disabled
step "Building" ninja -C build-bench -j "$jobs" bench/coherence gst/mosaictemporal-decoder
fetch_media || die "the photos and clips to compare on cannot be fetched: $(reason "$log")"

compare() { # compare CLIP WIDTH HEIGHT SIDE [FIRST LAST]
  local file=$1
  shift
  say "$file, $*"
  gst-launch-1.0 -q filesrc "location=$(dirname "$clip")/$file" ! decodebin ! videoconvert ! \
    videoscale add-borders=false ! \
    "video/x-raw,format=RGB,width=$1,height=$2,pixel-aspect-ratio=1/1" ! fdsink |
    build-bench/bench/coherence "$photos" "$@"
}

compare bigbuckbunny.mp4 1890 1080 54
compare bigbuckbunny.mp4 1920 1080 40
compare bikes.mp4 2520 1080 60 40 159
compare bikes.mp4 2520 1080 40 40 159
compare carphone_pristine.mp4 1920 1080 60
