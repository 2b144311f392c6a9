# SPDX-License-Identifier: LGPL-2.1-or-later
# Building, and telling GStreamer where the result lies.

jobs=${MOSAIC_JOBS:-$(nproc)}

# configure FOLDER [MESON OPTIONS]: anew when the options changed.
configure() {
  local dir=$1 wanted
  shift
  wanted="$*"
  if [ ! -f "$dir/build.ninja" ]; then
    rm -rf "$dir"
    step "Configuring $dir" meson setup "$dir" "$@"
  elif [ "$(cat "$dir/options.txt" 2>/dev/null)" != "$wanted" ]; then
    step "Configuring $dir again" meson configure "$dir" "$@"
  fi
  printf '%s' "$wanted" >"$dir/options.txt"
}

# compile FOLDER [MESON OPTIONS]: configures the folder and builds all of it.
compile() {
  configure "$@"
  step "Building $1" ninja -C "$1" -j "$jobs"
}

# The plugin alone; a folder that was configured before, for tests too perhaps, stays as it is.
build_plugin() {
  need "${build_packages[@]}"
  if [ -f build/build.ninja ]; then
    step "Building the plugin" ninja -C build -j "$jobs" gst/libgstmosaictemporal.so
  else
    compile build -Dtests=false -Dbench=false
  fi
}

# use_plugin FOLDER: GStreamer tools find the plugin of that build folder, by a registry of our own
# so that the user's stays as it is.
use_plugin() {
  export GST_PLUGIN_PATH=$PWD/$1/gst${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}
  export GST_REGISTRY=$cache/registry-$1.bin
}
