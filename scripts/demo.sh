# SPDX-License-Identifier: LGPL-2.1-or-later
# Makes out/demo.mp4 and the pictures of the README, out/pearl.jpg and out/steady.webp: mosaics of a real
# clip, a painting and photos. Without network it makes only out/demo.mp4, of a test picture and the
# built-in tiles.

need "${build_packages[@]}" "${demo_packages[@]}"
build_plugin
use_plugin build
mkdir -p out
if fetch_media; then
  source=(filesrc "location=$clip" ! decodebin)
  tiles=("tile-location=$photos")
else
  say "The photos and the clip cannot be fetched (no network?): the demo uses a test picture and the" \
    "built-in tiles."
  source=(videotestsrc pattern=smpte horizontal-speed=4 num-buffers=132 !
    "video/x-raw,width=1280,height=720,framerate=25/1")
  tiles=()
fi

# The queue has no limit: frames wait in it until the encoder, which uses lookahead, puts out its first
# frame.
pipeline=("${source[@]}" ! videoconvert ! videoscale ! video/x-raw,width=1920,height=1080 !
  mosaictemporal tile-size=30 profile-name=faithful silent=false "cache-location=$cache/pools"
  "${tiles[@]}" ! queue ! videoconvert ! x264enc speed-preset=veryfast pass=quant quantizer=21 !
  mp4mux ! filesink location=out/demo.mp4)
errors=$logs/demo.log
gst-launch-1.0 -m "${pipeline[@]}" 2>"$errors" </dev/null | "$python" scripts/lib/figures.py ||
  die "the demo failed: $(reason "$errors")"
if [ ${#tiles[@]} = 0 ]; then
  say "out/demo.mp4 is ready."
  return
fi

# mosaic INPUT OUTPUT OPTION...
mosaic() {
  build/program/mosaic-temporal "$1" --output "$2" --tiles "$photos" --cache-location "$cache/pools" \
    --quiet "${@:3}"
}
# So large that the photos in the nearest view are sharp.
step "Drawing the painting" mosaic "$painting" out/poster.jpg --output-size 5120x5992
"$python" scripts/demo/pearl.py out/poster.jpg out/pearl.jpg

# Three seconds of the clip, as it is and without steadiness, of which the last two are shown.
frames=$cache/demo
rm -rf "$frames"
mkdir -p "$frames"
for coherence in temporal none; do
  step "Drawing a clip with coherence=$coherence" mosaic "$clip" "$frames/$coherence-%03d.png" \
    --coherence "$coherence" --fps 12.5 --seconds 3.04
done
step "Making a moving picture" "$python" scripts/demo/steady.py "$frames/temporal-%03d.png" \
  "$frames/none-%03d.png" out/steady.webp 12 70 20 660
rm -rf "$frames"
say "out/demo.mp4, out/poster.jpg, out/pearl.jpg and out/steady.webp are ready."
