# SPDX-License-Identifier: LGPL-2.1-or-later
# Compares this element's speed and steadiness with photomosaic-video's; see bench/README.md.

need "${build_packages[@]}" "${bench_packages[@]}"
build_plugin
use_plugin build
fetch_media || die "the photos and the clip to compare on cannot be fetched: $(reason "$log")"
raw=$media/bigbuckbunny-1920x1080.bgr
decode() {
  gst-launch-1.0 -q filesrc "location=$clip" ! decodebin ! videoconvert ! videoscale ! \
    video/x-raw,format=BGR,width=1920,height=1080 ! filesink "location=$raw.part" &&
    mv "$raw.part" "$raw"
}
[ -f "$raw" ] || step "Decoding the clip (820 MB)" decode
say "Comparing; each pair takes about a minute and a half …"
"$python" bench/compare.py "$raw" "$clip" "$photos" 1920 1080 40 "$@"
