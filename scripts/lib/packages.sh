# SPDX-License-Identifier: LGPL-2.1-or-later
# Debian and Ubuntu packages, grouped by the commands that need them.

build_packages=(g++ meson ninja-build pkgconf python3 libglib2.0-dev libgdk-pixbuf-2.0-dev
  libtomlplusplus-dev libxxhash-dev libhwy-dev libyaml-dev libjpeg-dev liblcms2-dev libseccomp-dev libeigen3-dev libavformat-dev
  libavcodec-dev libavutil-dev libx11-dev libjson-glib-dev libsoup-3.0-dev libgstreamer1.0-dev
  libgstreamer-plugins-base1.0-dev libgstreamer-plugins-bad1.0-dev)
test_packages=(ccache libgtest-dev libgmock-dev libbenchmark-dev gstreamer1.0-tools gstreamer1.0-plugins-base
  gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly gstreamer1.0-libav
  gir1.2-gst-rtsp-server-1.0 gir1.2-gtk-3.0 gir1.2-soup-3.0 gstreamer1.0-gtk3 gstreamer1.0-nice
  gstreamer1.0-x parallel xvfb xdotool python3-gi python3-matplotlib python3-pil python3-venv webp-pixbuf-loader
  heif-gdk-pixbuf libavif-gdk-pixbuf libx264-dev libffmpeg-nvenc-dev ffmpeg)
# What heif-gdk-pixbuf decodes HEIC with. In Debian 12 it is a part of libheif; Ubuntu 24.04 installs it
# only if asked to.
heif_packages=(libheif-plugin-libde265)
# A browser for one test: 115 MB to download. Ubuntu has none among its packages, only a snap.
browser_packages=(chromium)
fuzz_packages=(clang-14 libclang-rt-14-dev llvm-14 ccache webp-pixbuf-loader)
# For building the libraries that decode photos.
fuzz_library_packages=(cmake dpkg-dev zlib1g-dev)
demo_packages=(gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good
  gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly gstreamer1.0-libav python3-pil python3-venv)
report_packages=(gir1.2-gst-plugins-base-1.0 python3-gi python3-matplotlib python3-pil)
# For building hotdoc and describing the plugin to it.
reference_packages=(cmake flex gir1.2-gstreamer-1.0 libjson-glib-dev libxml2-dev python3-dev python3-gi
  python3-venv)
bench_packages=("${demo_packages[@]}" "${report_packages[@]}" ffmpeg)

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

need() {
  local package missing=() as_root=()
  command -v dpkg-query >/dev/null || {
    say "Not a Debian or Ubuntu system: nothing is installed for you. Needed: $*"
    return
  }
  for package in "$@"; do
    installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  [ -z "${MOSAIC_NO_INSTALL:-}" ] || die "missing packages: ${missing[*]}"
  say "Installing with apt-get: ${missing[*]}"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      die "not root, and there is no sudo; run as root: apt-get install ${missing[*]}"
    sudo -v || die "sudo failed; run as root: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
  try "Reading package lists" "${as_root[@]}" update ||
    say "apt-get update failed; trying with the package lists of before"
  step "Installing packages" "${as_root[@]}" install -y --no-install-recommends "${missing[@]}"
  hash -r
  python=$(command -v /usr/bin/python3 || command -v python3)
}

# Installs those of the packages that the distribution has, unless nothing may be installed.
need_where_available() {
  local package available=()
  [ -z "${MOSAIC_NO_INSTALL:-}" ] && command -v apt-cache >/dev/null || return 0
  for package in "$@"; do
    case "$(LC_ALL=C apt-cache policy "$package")" in
      *"Candidate: "[!\(]*) available+=("$package") ;;
    esac
  done
  need "${available[@]}"
}
