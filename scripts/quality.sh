# SPDX-License-Identifier: LGPL-2.1-or-later
# Compares our mosaics with photomosaic-video's finished frames; see bench/README.md.

[ $# = 0 ] || [ -f "$1" ] || die "quality: no such file: $1"
need "${build_packages[@]}" "${bench_packages[@]}"
build_plugin
use_plugin build
fetch_media || die "cannot fetch the photos and clips for the comparison: $(reason "$log")"
work=$cache/quality
mkdir -p "$work"
requirements=bench/picture/requirements.txt

# draw_ours RAW OUT SIDE PROPERTIES...: our mosaics of packed BGR frames, and OUT.stats, the messages
# with statistics.
draw_ours() {
  local raw=$1 out=$2 side=$3
  shift 3
  gst-launch-1.0 -m filesrc "location=$raw" blocksize=$((3 * width * height)) ! \
    "video/x-raw,format=BGR,width=$width,height=$height,framerate=25/1" ! \
    mosaictemporal "tile-location=$photos" "tile-size=$side" max-solve-time=0 silent=false "$@" ! filesink "location=$out" >"$out.stats"
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

# measure NAME CLIP SIDE WIDTH FIRST FRAMES FILTERS: prints the measures of one clip. WIDTH is that of
# the frames, a multiple of 40. FILTERS are ffmpeg's, each followed by a comma, or empty.
measure() {
  local name=$1 file=$2 side=$3 raw=$work/$1-$4.bgr size
  width=$4
  size=$(ffprobe -v error -select_streams v -show_entries stream=width,height -of csv=p=0 "$file")
  # photomosaic-video needs whole cells. Cells of 20 and of 40 pixels share the decoded frames.
  height=$((width * ${size#*,} / ${size%,*} / 40 * 40))
  [ -f "$raw" ] || step "Decoding $name" decode "$file" "$raw" "$5" "$6" "$7"
  local peer=$work/$name-$4-$side-peer
  if [ ! -f "$peer.bare" ]; then
    step "photomosaic-video: $name, $side px" "$python" scripts/lib/in_venv.py "$requirements" \
      bench/peer.py draw "$raw" "$file" "$photos" "$width" "$height" "$side" "$5" "$peer.bgr" "$peer.part"
    mv "$peer.part" "$peer.bare"
  fi
  local ours=$work/$name-$side bare=(color-transfer=none base-blend-min=0 base-blend-max=0 feather-width=0
    gamma=1 shadow-lift=0 local-contrast-clip=0 vibrance=0 saturation-boost=1 contrast-boost=1
    color-harmony=0 sharpness=0 skin-protection=0 skin-lum-protection=0)
  local rows=(photomosaic-video "$peer.bgr" "$peer.bare") uses=() row profile
  local -A looks=(["vivid_b"]="" ["vivid_b, tiles"]=unit=tile ["vivid_b, ahead"]=lookahead=12
    ["vivid_b, all"]=min-photo-uses=1 ["faithful"]="" ["film"]="" ["photos"]="")
  for row in vivid_b "vivid_b, tiles" "vivid_b, ahead" "vivid_b, all" faithful film photos; do
    local out=$ours-${row/, /-}
    profile=${row%,*}
    # Unquoted: a property or none.
    step "$row: $name, $side px" draw_ours "$raw" "$out.bgr" "$side" "profile-name=$profile" ${looks[$row]}
    step "$row, photos alone: $name, $side px" draw_ours "$raw" "$out.bare" "$side" "profile-name=$profile" \
      ${looks[$row]} "${bare[@]}" "fidelity=$none" "beta=$(beta_like "$profile")"
    rows+=("$row" "$out.bgr" "$out.bare")
    uses+=("$row" "$out.bgr.stats")
  done
  "$python" scripts/lib/in_venv.py "$requirements" bench/picture/picture_measures.py "$name, $side px" "$width" \
    "$height" "$side" "$raw" "${rows[@]}"
  echo
  "$python" bench/picture/photo_measures.py "$name, $side px" "${uses[@]}"
}

if [ $# -gt 0 ]; then
  # Results are kept by name: files of the same name, and versions of a file, must not mix.
  key=$(stat -c '%n %s %Y' "$(readlink -f "$1")" | sha256sum | cut -c 1-12)
  measure "$(basename "$1")-$key" "$1" "${2:-40}" 1280 0 60 ""
else
  clips=$(dirname "$clip")
  [ -f "$work/portrait.mkv" ] ||
    step "Making a film of a portrait" "$python" scripts/lib/in_venv.py "$requirements" bench/picture/portrait.py \
      "$work/portrait.mkv"
  for side in 20 40; do # about 2304 and 576 cells
    measure bigbuckbunny "$clip" "$side" 1280 40 60 ""
    measure bikes "$clips/bikes.mp4" "$side" 1520 40 60 ""
    measure carphone "$clips/carphone_pristine.mp4" "$side" 1080 0 60 ""
    measure portrait "$work/portrait.mkv" "$side" 960 0 60 ""
    measure night "$clip" "$side" 1280 40 60 "lutrgb=r=val*0.2:g=val*0.22:b=val*0.28,"
  done
fi
