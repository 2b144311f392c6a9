# SPDX-License-Identifier: LGPL-2.1-or-later
# Building and running tests for AArch64 on another processor: with the distribution's cross compiler
# and an emulated processor (qemu-user). The libraries are the distribution's packages for arm64,
# unpacked into a folder; neither apt's settings nor the installed packages of this machine change.

aarch64=$cache/aarch64
sysroot=$aarch64/sysroot

# missing_for_aarch64: prints the packages to install, if compiler or emulator are missing.
missing_for_aarch64() {
  local missing=()
  command -v aarch64-linux-gnu-g++ >/dev/null || missing+=(g++-aarch64-linux-gnu)
  command -v qemu-aarch64-static >/dev/null || missing+=(qemu-user-static)
  printf '%s' "${missing[*]}"
}

# Those of the libraries that the build and its tests need. GStreamer's library for CUDA, the only one
# of plugins-bad, is not needed, nor are libbenchmark-dev, what the emulated GPU decodes and encodes
# with, and what only mosaic-temporal needs.
aarch64_packages() {
  local package
  printf '%s\n' libc6-dev
  for package in "${build_packages[@]}" "${test_packages[@]}"; do
    case $package in
      libgstreamer-plugins-bad1.0-dev | libbenchmark-dev) ;;
      libx264-dev | libavformat-dev | libavcodec-dev | libavutil-dev | libffmpeg-nvenc-dev) ;;
      libx11-dev | libsoup-3.0-dev) ;;
      lib*-dev | *-pixbuf-loader) printf '%s\n' "$package" ;;
    esac
  done
}

# An apt for arm64 with the package sources of this machine and folders of its own.
aarch64_apt() { APT_CONFIG=$aarch64/apt.conf apt-get "$@"; }

# unpack_sysroot PACKAGES: unpacks into another folder and then renames it, so that the folder
# `sysroot` is always complete.
unpack_sysroot() {
  local apt=$aarch64/apt part=$sysroot.part loaders package
  rm -rf "$aarch64"
  mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$part/usr/lib"
  : >"$apt/status"
  cat >"$aarch64/apt.conf" <<CONFIG
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::Cache "$apt";
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "root";
CONFIG
  aarch64_apt update || say "apt-get update failed"
  aarch64_apt install -y --download-only --no-install-recommends "$@" || return
  ln -s usr/lib "$part/lib"
  for package in "$apt"/archives/*.deb; do
    dpkg-deb -x "$package" "$part" || return
  done
  # A package's installation would list the modules that decode photos.
  loaders=$part/usr/lib/aarch64-linux-gnu/gdk-pixbuf-2.0
  qemu-aarch64-static -L "$part" "$loaders/gdk-pixbuf-query-loaders" >"$aarch64/loaders.cache" &&
    mv "$aarch64/loaders.cache" "$loaders/2.10.0/" || return
  printf '%s' "$*" >"$part/packages.txt"
  rm -rf "$apt"
  mv -T "$part" "$sysroot"
}

# How meson builds for AArch64 and runs what it has built; the file is $aarch64/cross.ini.
write_cross_file() {
  cat >"$aarch64/cross.ini" <<CROSS
[constants]
sysroot = '$sysroot'
[binaries]
c = ['ccache', 'aarch64-linux-gnu-gcc', '--sysroot=' + sysroot]
cpp = ['ccache', 'aarch64-linux-gnu-g++', '--sysroot=' + sysroot]
ar = 'aarch64-linux-gnu-gcc-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-aarch64-static', '-L', sysroot]
[properties]
sys_root = sysroot
pkg_config_libdir = [sysroot + '/usr/lib/aarch64-linux-gnu/pkgconfig', sysroot + '/usr/share/pkgconfig']
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
CROSS
}

# write_emulated_program FILE PROGRAM: makes FILE a program that runs PROGRAM in the emulator, for
# tests that start it.
write_emulated_program() {
  printf '#!/bin/sh\nexec qemu-aarch64-static -L %q %q "$@"\n' "$sysroot" "$PWD/$2" >"$1"
  chmod +x "$1"
}

# Returns 1 if the libraries cannot be fetched.
prepare_aarch64() {
  local packages
  mapfile -t packages < <(aarch64_packages)
  [ "$(cat "$sysroot/packages.txt" 2>/dev/null)" = "${packages[*]}" ] ||
    try "Fetching libraries for AArch64" unpack_sysroot "${packages[@]}" || return
  write_cross_file
}
