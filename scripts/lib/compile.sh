# SPDX-License-Identifier: LGPL-2.1-or-later
# Building, and telling GStreamer where the plugin is.

jobs=${MOSAIC_JOBS:-$(nproc)}

# Whether the compiler is that of Debian 12, GCC 12, which CI uses. Each version has warnings of its own,
# some of them about correct code of libraries, so only with this one a warning is an error.
has_ci_compiler() {
  case "$(${CXX:-c++} -dumpversion 2>/dev/null)" in 12 | 12.*) ;; *) return 1 ;; esac
}

# configure FOLDER [MESON OPTIONS]: sets up a build folder, or reconfigures it if the options changed.
# -Dwerror=true counts only with CI's compiler. If cross_file is set, it builds for the machine that this
# file of meson's describes.
configure() {
  local dir=$1 wanted
  shift
  has_ci_compiler || set -- "${@/%-Dwerror=true/-Dwerror=false}"
  wanted="$*"
  if [ ! -f "$dir/build.ninja" ]; then
    rm -rf "$dir"
    step "Configuring $dir" meson setup "$dir" ${cross_file:+--cross-file "$cross_file"} "$@"
  elif [ "$(cat "$dir/options.txt" 2>/dev/null)" != "$wanted" ]; then
    step "Configuring $dir again" meson configure "$dir" "$@"
  fi
  printf '%s' "$wanted" >"$dir/options.txt"
  # For programs other than the plugin, which finds it next to itself.
  export MOSAICTEMPORAL_DECODER=$PWD/$dir/gst/mosaictemporal-decoder
}

# compile FOLDER [MESON OPTIONS]: configures the folder and builds all of it.
compile() {
  configure "$@"
  step "Building $1" ninja -C "$1" -j "$jobs"
}

# Builds only the plugin. A build folder that exists keeps its options, as it may be one with tests.
build_plugin() {
  need "${build_packages[@]}"
  if [ -f build/build.ninja ]; then
    step "Building the plugin" ninja -C build -j "$jobs" gst/libgstmosaictemporal.so \
      gst/mosaictemporal-decoder program/mosaic-temporal
  else
    compile build -Dtests=false -Dbench=false
  fi
}

# use_plugin FOLDER: lets GStreamer's tools find the plugin of that build folder. They use a registry
# of our own, so that the user's does not change.
use_plugin() {
  export GST_PLUGIN_PATH=$PWD/$1/gst${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}
  export GST_REGISTRY=$cache/registry-$1.bin
}
