# SPDX-License-Identifier: LGPL-2.1-or-later
# make_bundle() and the command `./run bundle`: make out/bundle, a folder with all that `./run gpu-check`
# needs, for a machine that has a GPU but no build tools. See tests/gpu-check/bundle.sh.

bundle=out/bundle
bundle_clip=out/clip-1280x720.h264

# An H.264 stream for the GPU's decoder: the demo's clip or, if it cannot be fetched, a test picture.
make_clip() {
  local encoded='video/x-h264,stream-format=byte-stream,alignment=au'
  if [ -f "$clip" ] || fetch_media; then
    gst-launch-1.0 -q filesrc "location=$clip" ! qtdemux ! h264parse ! "$encoded" ! \
      filesink "location=$bundle_clip.part"
  else
    gst-launch-1.0 -q videotestsrc horizontal-speed=4 num-buffers=132 ! \
      video/x-raw,format=I420,width=1280,height=720,framerate=25/1 ! x264enc ! h264parse ! \
      "$encoded" ! filesink "location=$bundle_clip.part"
  fi && mv "$bundle_clip.part" "$bundle_clip"
}

make_bundle() {
  local clip_in_it=()
  command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] ||
    die "compiling kernels for GPUs needs nvcc (CUDA toolkit), which was not found: make out/bundle on" \
      "another machine with ./run bundle, copy it here, and use ./run gpu-check FOLDER"
  need "${build_packages[@]}" "${test_packages[@]}"
  configure build -Dtests=true -Dbench=true -Dwerror=true
  step "Building the GPU check" ninja -C build -j "$jobs" gst/libgstmosaictemporal.so \
    tests/gpu-check/gpu_check tests/gpu-check/hash_frames tests/cuda/gpu_executor_test \
    tests/emulated-gpu/libcuda.so.1 tests/emulated-gpu/no-decoder/libnvcuvid.so.1 tests/emulated-gpu/libnvrtc.so
  mkdir -p out
  [ -f "$bundle_clip" ] || try "Making a clip for the decoder" make_clip ||
    say "No clip for the decoder: $(reason "$log")"
  [ ! -f "$bundle_clip" ] || clip_in_it=("$bundle_clip")
  step "Gathering $bundle" bash tests/gpu-check/bundle.sh build "$bundle" "${clip_in_it[@]}"
}

if [ "$command" = bundle ]; then
  make_bundle
  say "$bundle is ready ($(du -sh "$bundle" | cut -f 1)); on the machine with the GPU:" \
    "bundle/gpu-check"
fi
