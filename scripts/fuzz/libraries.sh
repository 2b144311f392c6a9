# SPDX-License-Identifier: LGPL-2.1-or-later
# The libraries that decode photos, built from the distribution's sources in .cache/fuzz/libraries so
# that AddressSanitizer and the fuzzer see into them. Without them the fuzzers run with the installed
# libraries, as when the sources cannot be fetched.

fuzz_libraries=$cache/fuzz/libraries
fuzz_library_sources=(libpng1.6 libjpeg-turbo tiff libwebp gdk-pixbuf webp-pixbuf-loader)
# Not UndefinedBehaviorSanitizer: the fuzzer would stop at what is harmless in code that is not ours.
fuzz_library_flags="-g1 -O1 -fsanitize=address,fuzzer-no-link -fno-omit-frame-pointer"

# Fetches and unpacks the sources, with package lists of its own: the system's often have no sources.
fetch_fuzz_sources() {
  local state=$cache/fuzz/apt suite origin
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  origin=$(apt-get indextargets --format '$(SITE)' "Codename: $suite" "Created-By: Packages" | head -n 1)
  [ -n "$suite" ] && [ -n "$origin" ] || return 1
  mkdir -p "$state/lists/partial" "$state/cache"
  printf 'deb-src %s %s main\n' "$origin" "$suite" >"$state/sources.list"
  local options=(-o "Dir::Etc::SourceList=$state/sources.list" -o Dir::Etc::SourceParts=-
    -o "Dir::State::Lists=$state/lists" -o "Dir::Cache=$state/cache" -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update &&
    cd "$cache/fuzz/sources" && apt-get "${options[@]}" source "${fuzz_library_sources[@]}"
}

# build_with_cmake SOURCE OPTIONS; build_with_meson SOURCE OPTIONS: builds one and installs it.
build_with_cmake() {
  local source=$1
  shift
  cmake -S "$source" -B "$source/build-fuzz" -DCMAKE_INSTALL_PREFIX="$fuzz_libraries" \
    -DCMAKE_INSTALL_LIBDIR:STRING=lib -DCMAKE_PREFIX_PATH="$fuzz_libraries" -DCMAKE_C_COMPILER=clang-14 \
    -DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_C_FLAGS="$fuzz_library_flags" \
    -DCMAKE_CXX_FLAGS="$fuzz_library_flags" -DBUILD_SHARED_LIBS=ON "$@" &&
    cmake --build "$source/build-fuzz" -j "$jobs" --target install
}
build_with_meson() {
  local source=$1
  shift
  CC=clang-14 CFLAGS=$fuzz_library_flags LDFLAGS=-fsanitize=address \
    PKG_CONFIG_PATH=$fuzz_libraries/lib/pkgconfig LD_LIBRARY_PATH=$fuzz_libraries/lib \
    meson setup "$source/build-fuzz" "$source" --prefix "$fuzz_libraries" --libdir lib \
    --wrap-mode nodownload -Db_lundef=false --buildtype plain "$@" &&
    LD_LIBRARY_PATH=$fuzz_libraries/lib meson install -C "$source/build-fuzz"
}

compile_fuzz_libraries() {
  local sources=$cache/fuzz/sources
  local modules=$fuzz_libraries/lib/gdk-pixbuf-2.0/2.10.0
  export ASAN_OPTIONS=detect_leaks=0
  build_with_cmake "$sources"/libpng1.6-* -DPNG_TESTS=OFF -DPNG_HARDWARE_OPTIMIZATIONS=OFF &&
    build_with_cmake "$sources"/libjpeg-turbo-* -DWITH_SIMD=OFF -DENABLE_STATIC=OFF &&
    build_with_cmake "$sources"/tiff-* -Dtiff-{tools,tests,contrib,docs}=OFF -Dlzma=OFF -Dzstd=OFF \
      -Dwebp=OFF -Djbig=OFF -Dlerc=OFF -Dlibdeflate=OFF &&
    build_with_cmake "$sources"/libwebp-* \
      -DWEBP_BUILD_{ANIM_UTILS,CWEBP,DWEBP,GIF2WEBP,IMG2WEBP,VWEBP,WEBPINFO,WEBPMUX,EXTRAS}=OFF &&
    build_with_meson "$sources"/gdk-pixbuf-* -Dbuiltin_loaders=all -D{png,jpeg,tiff}=enabled \
      -Dgtk_doc=false -Dman=false -Ddocs=false -Dintrospection=disabled -Dtests=false \
      -Dinstalled_tests=false -Dgio_sniffing=false &&
    build_with_meson "$sources"/webp-pixbuf-loader-* -Dgdk_pixbuf_moduledir="$modules/loaders" &&
    LD_LIBRARY_PATH=$fuzz_libraries/lib "$fuzz_libraries/bin/gdk-pixbuf-query-loaders" \
      "$modules/loaders/libpixbufloader-webp.so" >"$fuzz_libraries/loaders.cache"
}

# Lets programs that are started afterwards use the libraries.
use_fuzz_libraries() {
  export LD_LIBRARY_PATH=$fuzz_libraries/lib GDK_PIXBUF_MODULE_FILE=$fuzz_libraries/loaders.cache
}

# Builds the libraries, once. Returns 1, after a message, if that is not possible.
build_fuzz_libraries() {
  [ ! -f "$fuzz_libraries/complete" ] || return 0
  rm -rf "$cache/fuzz/sources" "$fuzz_libraries"
  mkdir -p "$cache/fuzz/sources"
  if (try "Fetching the sources of photo libraries" fetch_fuzz_sources) &&
    (try "Building the photo libraries" compile_fuzz_libraries); then
    touch "$fuzz_libraries/complete"
    return
  fi
  say "  photos are decoded by the installed libraries, without sanitizers (see $logs)"
  return 1
}
