# SPDX-License-Identifier: LGPL-2.1-or-later
# Makes out/demo.mp4 and out/demo.png: a mosaic of a real clip and photos or, without network, of a
# test picture and the built-in tiles.

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

# A still is taken every 72 frames, and the second one is kept, with an enlarged part in its corner:
# in the demo's clip, the face. The queue of the stills has no limit:
# frames wait in it until the encoder, which uses lookahead, puts out its first frame.
pipeline=("${source[@]}" ! videoconvert ! videoscale ! video/x-raw,width=1920,height=1080 !
  mosaictemporal tile-size=30 silent=false "cache-location=$cache/pools" "${tiles[@]}" ! tee name=t
  t. ! queue ! videoconvert ! x264enc speed-preset=veryfast pass=quant quantizer=21 !
  mp4mux ! filesink location=out/demo.mp4
  t. ! queue max-size-buffers=0 max-size-bytes=0 max-size-time=0 ! videorate drop-only=true !
  video/x-raw,framerate=25/72 ! videoconvert ! pngenc ! multifilesink location=out/.demo-%d.png)
errors=$logs/demo.log
gst-launch-1.0 -m "${pipeline[@]}" 2>"$errors" </dev/null | "$python" scripts/lib/figures.py ||
  die "the demo failed: $(reason "$errors")"
"$python" scripts/demo/inset.py out/.demo-1.png out/demo.png 540 90 300 210
rm -f out/.demo-*.png
say "out/demo.mp4 and out/demo.png are ready."
