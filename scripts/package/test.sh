#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# usage: test.sh DEB: installs the package with apt, uses it, and removes it again. Only for a
# system that is thrown away afterwards (see fresh_root.sh): `./run package --try` runs it there.
set -euo pipefail
deb=$1
package=$(dpkg-deb --field "$deb" Package)
work=$(mktemp -d)
export DEBIAN_FRONTEND=noninteractive HOME=$work XDG_CACHE_HOME=$work
part="preparing the system"
trap '[ $? = 0 ] || echo "ERROR: failed: $part"' EXIT

next() {
  part=$*
  echo "== $part"
}

fail() {
  echo "ERROR: $*"
  exit 1
}

install() { apt-get install -y --no-install-recommends "$@"; }

# files [CONDITION OF FIND...]: every file but those of logs, caches and this script.
files() {
  find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /var/tmp -o \
    -path /var/cache -o -path /var/log \) -prune -o "$@" -print | sort
}

# bmp BLUE GREEN RED: a photo of 64x64 pixels of one colour, whose values are octal escapes.
bmp() {
  printf 'BM\066\060\0\0\0\0\0\0\066\0\0\0\050\0\0\0\100\0\0\0\100\0\0\0\001\0\030\0' # the header, and
  printf '\0%.0s' {1..24} # the rest of it
  printf "$1$2$3%.0s" {1..4096}
}

# mosaic PROPERTY...: draws ten frames.
mosaic() {
  timeout 300 gst-launch-1.0 -m videotestsrc num-buffers=10 ! video/x-raw,width=320,height=240 ! \
    mosaictemporal silent=false "$@" ! fakesink >"$work/messages" 2>&1 || {
    cat "$work/messages"
    fail "the pipeline failed"
  }
  [ "$(grep -c mosaictemporal-stats "$work/messages")" = 10 ] || {
    cat "$work/messages"
    fail "not ten frames were drawn"
  }
}

next "installing what the package and this script need"
install gstreamer1.0-tools gstreamer1.0-plugins-base
# That they exist at all; installing them takes too long.
apt-get satisfy --simulate "$(dpkg-deb --field "$deb" Recommends), $(dpkg-deb --field "$deb" Suggests)"
apt-get satisfy -y --no-install-recommends "$(dpkg-deb --field "$deb" Depends)"
files ! -path '/var/lib/*' >"$work/before"

next "installing the package"
install "$deb"
dpkg --listfiles "$package"
[ -z "$(dpkg --verify "$package")" ] || fail "installed files differ from the package's"

next "finding the element and the presets"
gst-inspect-1.0 mosaictemporal >"$work/inspected"
head -n 12 "$work/inspected"
[ -s /usr/share/gstreamer-1.0/presets/GstMosaicTemporal.prs ] || fail "there are no presets"

next "asking its programs for help"
for program in $(dpkg --listfiles "$package" | grep '^/usr/bin/.' || true); do
  "$program" --help
done

next "drawing a mosaic of built-in pictures"
mosaic

# The program that decodes photos has to be found.
next "drawing a mosaic of photos"
mkdir "$work/photos"
bmp '\377' '\100' '\000' >"$work/photos/blue.bmp"
bmp '\100' '\100' '\340' >"$work/photos/red.bmp"
bmp '\000' '\300' '\100' >"$work/photos/green.bmp"
mosaic "tile-location=$work/photos"
! grep -i -m 1 'warning' "$work/messages" || fail "there was a warning"

next "removing the package"
apt-get purge -y "$package"
files ! -path '/var/lib/*' >"$work/after"
left=$(comm -13 "$work/before" "$work/after" && files -iname '*mosaic*temporal*')
[ -z "$left" ] || fail "left behind: $left"
! gst-inspect-1.0 --exists mosaictemporal || fail "the element is still there"
echo "== nothing is left of $package"
