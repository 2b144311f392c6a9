# SPDX-License-Identifier: LGPL-2.1-or-later
# Compares our mosaics with photomosaic-video's finished frames; see bench/README.md.

[ $# = 0 ] || [ -f "$1" ] || die "quality: no such file: $1"
need "${build_packages[@]}" "${bench_packages[@]}"
build_plugin
use_plugin build
fetch_media || die "cannot fetch the photos and clips for the comparison: $(reason "$log")"
work=$cache/quality
mkdir -p "$work"
requirements=bench/quality_requirements.txt
width=1280

# draw_ours RAW OUT SIDE PROPERTIES...: our mosaics of packed BGR frames.
draw_ours() {
  local raw=$1 out=$2 side=$3
  shift 3
  gst-launch-1.0 -q filesrc "location=$raw" blocksize=$((3 * width * height)) ! \
    "video/x-raw,format=BGR,width=$width,height=$height,framerate=25/1" ! \
    mosaictemporal "tile-location=$photos" "tile-size=$side" max-solve-time=0 "$@" ! filesink "location=$out"
}

# So little fidelity that it corrects nothing, but above 0, so that crossfades are the same.
none=0.000001
# beta_like PROFILE: the beta that chooses the same tiles without fidelity as 0.3 does with the
# profile's, see price_factor_of_fidelity().
beta_like() {
  awk -F= '$1 ~ /^fidelity/ { f = $2 } END { print 0.3 * (1 + 2 * f) }' f=0.5 "presets/$1.toml"
}

# decode CLIP RAW FIRST FRAMES FILTERS. The file RAW is complete if it exists.
decode() {
  ffmpeg -v error -y -i "$1" -vf "${5}select='between(n,$3,$3+$4-1)',scale=$width:$height" \
    -fps_mode passthrough -pix_fmt bgr24 -f rawvideo "$2.part" &&
    mv "$2.part" "$2"
}

# measure NAME CLIP SIDE FIRST FRAMES FILTERS: prints the measures of one clip. FILTERS are ffmpeg's,
# each followed by a comma, or empty.
measure() {
  local name=$1 file=$2 side=$3 raw=$work/$1.bgr size
  size=$(ffprobe -v error -select_streams v -show_entries stream=width,height -of csv=p=0 "$file")
  # photomosaic-video needs whole cells. Cells of 20 and of 40 pixels share the decoded frames.
  height=$((width * ${size#*,} / ${size%,*} / 40 * 40))
  [ -f "$raw" ] || step "Decoding $name" decode "$file" "$raw" "$4" "$5" "$6"
  local peer=$work/$name-$side-peer
  if [ ! -f "$peer.bare" ]; then
    step "photomosaic-video: $name, $side px" "$python" scripts/lib/in_venv.py "$requirements" \
      bench/peer.py draw "$raw" "$file" "$photos" "$width" "$height" "$side" "$4" "$peer.bgr" "$peer.part"
    mv "$peer.part" "$peer.bare"
  fi
  local ours=$work/$name-$side bare=(color-transfer=none base-blend-min=0 base-blend-max=0 feather-width=0
    gamma=1 shadow-lift=0 local-contrast-clip=0 vibrance=0 saturation-boost=1 contrast-boost=1
    color-harmony=0 sharpness=0 skin-protection=0 skin-lum-protection=0)
  local rows=(photomosaic-video "$peer.bgr" "$peer.bare") profile
  for profile in vivid_b faithful film photos; do
    step "$profile: $name, $side px" draw_ours "$raw" "$ours-$profile.bgr" "$side" "profile-name=$profile"
    step "$profile, tiles: $name, $side px" draw_ours "$raw" "$ours-$profile.bare" "$side" \
      "profile-name=$profile" "${bare[@]}" "fidelity=$none" "beta=$(beta_like "$profile")"
    rows+=("$profile" "$ours-$profile.bgr" "$ours-$profile.bare")
  done
  "$python" scripts/lib/in_venv.py "$requirements" bench/picture_measures.py "$name, $side px" "$width" \
    "$height" "$side" "$raw" "${rows[@]}"
}

if [ $# -gt 0 ]; then
  # Results are kept by name: files of the same name, and versions of a file, must not mix.
  key=$(stat -c '%n %s %Y' "$(readlink -f "$1")" | sha256sum | cut -c 1-12)
  measure "$(basename "$1")-$key" "$1" "${2:-40}" 0 60 ""
else
  clips=$(dirname "$clip")
  for side in 20 40; do
    measure bigbuckbunny "$clip" "$side" 40 60 ""
    measure bikes "$clips/bikes.mp4" "$side" 40 60 ""
    measure carphone "$clips/carphone_pristine.mp4" "$side" 0 60 ""
    measure night "$clip" "$side" 40 60 "lutrgb=r=val*0.2:g=val*0.22:b=val*0.28,"
  done
fi
