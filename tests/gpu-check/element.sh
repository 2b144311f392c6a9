# SPDX-License-Identifier: LGPL-2.1-or-later
# The part of the check that needs GStreamer: real pipelines, with the bundle's GStreamer if there is
# one, else with the installed one and the plugin on GST_PLUGIN_PATH. Frames that went through the GPU
# must have the same hashes as those that went through the CPU.

pools=$work/pools # prepared once, not for each pipeline
mosaic="mosaictemporal cache-location=$pools"
on_gpu='video/x-raw(memory:CUDAMemory)'
stand_in="" # folder of a libnvcuvid.so.1 that cannot decode

# gst COMMAND...: runs a tool of GStreamer with a separate registry.
gst() {
  local tool=$1
  shift
  if [ -d "$here/gstreamer" ]; then
    with_libraries "$here/gstreamer/lib${stand_in:+:$stand_in}" GST_PLUGIN_SYSTEM_PATH="$here/gstreamer/plugins" \
      GST_PLUGIN_PATH= GST_PLUGIN_SCANNER="$here/gstreamer/bin/gst-plugin-scanner" \
      GST_REGISTRY="$work/registry.bin" timeout 300 "$here/gstreamer/bin/$tool" "$@"
  else
    with_libraries "" GST_REGISTRY="$work/registry.bin" timeout 300 "$tool" "$@"
  fi
}
has_element() { gst gst-inspect-1.0 --exists "$1" >/dev/null 2>&1; }

# hashes FORMAT WIDTH HEIGHT PIPELINE: one line for each frame. Output of the pipeline goes to
# pipeline.log.
hashes() {
  local format=$1 width=$2 height=$3 words
  read -ra words <<<"$4"
  gst gst-launch-1.0 -q "${words[@]}" ! "video/x-raw,format=$format" ! \
    fdsink fd=3 sync=false 3>&1 >>"$work/pipeline.log" 2>&1 </dev/null |
    program hash_frames "$format" "$width" "$height" /dev/stdin 2>>"$work/pipeline.log"
}

# compare NAME FORMAT WIDTH HEIGHT FRAMES CPU-PIPELINE GPU-PIPELINE: FRAMES is the expected number of
# frames, or empty for any
compare() {
  local name=$1 format=$2 width=$3 height=$4 frames=$5 cpu=$work/cpu.txt gpu=$work/gpu.txt differing
  : >"$work/pipeline.log"
  if ! hashes "$format" "$width" "$height" "$6" >"$cpu"; then
    note "$name" "FAILED: on the CPU: $(reason "$work/pipeline.log")"
  elif ! hashes "$format" "$width" "$height" "$7" >"$gpu"; then
    note "$name" "FAILED: on the GPU: $(reason "$work/pipeline.log")"
  elif [ "$(wc -l <"$gpu")" != "${frames:-$(wc -l <"$cpu")}" ]; then
    note "$name" "FAILED: $(wc -l <"$gpu") frames from the GPU, $(wc -l <"$cpu") from the CPU"
  elif ! differing=$(cmp "$cpu" "$gpu" 2>&1); then
    note "$name" "FAILED: differs from the CPU's frames: ${differing##*, }"
  else
    note "$name" "ok: $(wc -l <"$gpu") frames"
  fi
}

uploaded_clips() {
  local format size width height source frames=132 sizes="1280x720 1918x1078"
  [ -z "$quick" ] || { frames=5 sizes="320x180 158x94"; }
  for size in $sizes; do
    width=${size%x*} height=${size#*x}
    for format in NV12 I420 RGBA BGR; do
      source="videotestsrc num-buffers=$frames horizontal-speed=5 !"
      source+=" video/x-raw,format=$format,width=$width,height=$height,framerate=25/1"
      compare "cudaupload ! mosaictemporal ! cudadownload, $format $size" "$format" "$width" \
        "$height" "$frames" "$source ! $mosaic device=cpu" \
        "$source ! cudaupload ! $on_gpu ! $mosaic ! $on_gpu ! cudadownload"
    done
  done
}

uploaded_frames() {
  local size=1920x1080 frames=132
  [ -z "$quick" ] || { size=320x180 frames=5; }
  # shellcheck disable=SC2086 # words of a pipeline
  timed_frames "videotestsrc ! cudaupload ! mosaictemporal, NV12 $size" videotestsrc \
    num-buffers=$frames horizontal-speed=5 ! \
    "video/x-raw,format=NV12,width=${size%x*},height=${size#*x},framerate=25/1" ! \
    cudaupload ! $on_gpu ! $mosaic silent=false ! fakesink sync=false
}

# timed_frames NAME PIPELINE...: reports the time of each frame, from the element's messages.
timed_frames() {
  local name=$1 start end
  shift
  start=$(date +%s%N)
  if ! gst gst-launch-1.0 -m "$@" >"$work/messages" 2>"$work/pipeline.log" </dev/null; then
    note "$name" "FAILED: $(reason "$work/pipeline.log")"
    return
  fi
  end=$(date +%s%N)
  sed -n 's/.*mosaictemporal-stats.* ms=(double)\([0-9.e+-]*\).*/\1/p' "$work/messages" |
    sort -g >"$work/ms"
  awk -v name="$name" -v seconds="$(((end - start) / 1000000))e-3" '
    { ms[NR] = $1 }
    END {
      if (!NR) exit 1
      printf "| %s | %d | %.1f | %.2f | %.2f |\n", name, NR, NR / seconds, ms[int((NR + 1) / 2)],
        ms[int(NR * 0.95 + 0.5)]
    }' "$work/ms" >>"$work/element.rows" || {
    note "$name" "FAILED: no frame"
    return
  }
  note "$name" "ok: $(wc -l <"$work/ms") frames"
}

decoded_clip() {
  local clip size decoder
  for clip in "$here"/clip-*.h264; do
    size=${clip##*/clip-} size=${size%.h264}
  done
  if [ ! -f "$clip" ]; then
    note nvh264dec "skipped: no clip in the bundle"
    return
  fi
  if ! has_element nvh264dec; then
    note nvh264dec "skipped: GStreamer offers no nvh264dec here ($(decoder_library))"
    return
  fi
  decoder="filesrc location=$clip ! h264parse ! nvh264dec"
  compare "nvh264dec ! mosaictemporal ! cudadownload, NV12 $size" NV12 "${size%x*}" "${size#*x}" "" \
    "$decoder ! $on_gpu ! cudadownload ! $mosaic device=cpu" \
    "$decoder ! $on_gpu ! $mosaic require-hardware=true ! $on_gpu ! cudadownload"
  decoder="filesrc location=$clip ! h264parse ! nvh264dec ! $on_gpu"
  # shellcheck disable=SC2086 # words of a pipeline
  timed_frames "nvh264dec ! mosaictemporal" $decoder ! $mosaic silent=false ! fakesink sync=false
  if has_element nvh264enc; then
    # shellcheck disable=SC2086
    timed_frames "nvh264dec ! mosaictemporal ! nvh264enc" $decoder ! $mosaic silent=false ! \
      "$on_gpu" ! nvh264enc ! fakesink sync=false
  else
    note nvh264enc "skipped: GStreamer offers no nvh264enc here"
  fi
}

decoder_library() {
  local dir path=${LD_LIBRARY_PATH:-}
  if [ -n "$stand_in" ]; then
    echo "no libnvcuvid.so.1: a stand-in that cannot decode"
  elif [ -n "$emulated" ]; then
    echo "the emulation cannot decode"
  elif ldconfig -p 2>/dev/null | grep -q 'libnvcuvid\.so\.1'; then
    echo "libnvcuvid.so.1 is installed"
  else
    for dir in ${path//:/ }; do
      if [ -e "$dir/libnvcuvid.so.1" ]; then
        echo "libnvcuvid.so.1 is in $dir"
        return
      fi
    done
    echo "no libnvcuvid.so.1"
  fi
}

# nvcodec registers no elements without the driver's decoder library, which servers may lack. Then a
# stand-in for that library is used, so that upload, element and download run on the real driver.
offers_upload() {
  has_element cudaupload && return
  [ -d "$here/gstreamer/no-decoder" ] || return
  stand_in=$here/gstreamer/no-decoder
  rm -f "$work/registry.bin"
  has_element cudaupload && return
  stand_in=""
  return 1
}

element_checks() {
  if [ ! -d "$here/gstreamer" ] && ! command -v gst-launch-1.0 >/dev/null; then
    note element "skipped: GStreamer is neither in the bundle nor installed"
  elif ! gst gst-inspect-1.0 mosaictemporal >"$work/inspect.log" 2>&1; then
    note element "FAILED: GStreamer does not load the element: $(reason "$work/inspect.log")"
  elif ! offers_upload; then
    note element "skipped: GStreamer's nvcodec plugin offers no cudaupload here ($(decoder_library))"
  else
    gst_version=$(gst gst-launch-1.0 --version | sed -n 's/^GStreamer //p')
    : >"$work/element.rows"
    uploaded_clips
    uploaded_frames
    decoded_clip
    {
      say ""
      say "## The element"
      say ""
      say "GStreamer $gst_version. Frames a second of the whole run, its start included; the" \
        "element's own time for a frame as its messages tell."
      say ""
      say "| pipeline | frames | frames/s | p50 ms | p95 ms |"
      say "| --- | --- | --- | --- | --- |"
      cat "$work/element.rows"
    } >"$work/element.md"
  fi
}
