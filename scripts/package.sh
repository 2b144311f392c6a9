# SPDX-License-Identifier: LGPL-2.1-or-later
# `./run package [--try] [--arch arm64]`: makes out/package/gstreamer1.0-mosaictemporal_*.deb with
# debhelper, and checks it with lintian.
#
# The packaging is in packaging/debian, not in debian/, so that the root holds only what the project
# itself consists of, and a distribution can use its own debian/ there. Debian's tools want debian/ at
# the root and leave files in it, so a copy of the sources is built.
#
# For another processor it is built in a fresh Debian 12 with a cross compiler and that processor's
# libraries, which cannot be installed here without changing this machine.

. scripts/lib/fresh_root.sh
. scripts/lib/version.sh
package_packages=(build-essential debhelper dpkg-dev fakeroot lintian)
package_folder=build-package
package_out=out/package
arch="" try_it=""
while [ $# -gt 0 ]; do
  case "$1" in
    --try) try_it=1 ;;
    --arch)
      case "${2:-}" in
        amd64 | arm64) arch=$2 ;;
        *) die "package: not amd64 or arm64: ${2:-}" ;;
      esac
      shift
      ;;
    *) die "package: no such option: $1 (see ./run help)" ;;
  esac
  shift
done
command -v dpkg >/dev/null || die "package: packages are made on Debian and Ubuntu"
native=$(dpkg --print-architecture)
arch=${arch:-$native}
[ -z "$try_it" ] || [ "$arch" = "$native" ] ||
  die "package: a package for $arch can be tried only on such a machine"

copy_sources() {
  rm -rf "$package_folder"
  mkdir -p "$package_folder/source" &&
    tar -c --exclude='./build*' --exclude=./out --exclude=./.cache --exclude='./.venv*' \
      --exclude=./.git . | tar -x -C "$package_folder/source" &&
    cp -R packaging/debian "$package_folder/source/debian"
}

# cross_build NAME: without kernels for GPUs.
cross_build() {
  in_fresh_root bookworm --architectures="$native,$arch" \
    --customize-hook="copy-in $package_folder/source /root" \
    --customize-hook="chroot \"\$1\" sh -c 'cd /root/source && scripts/package/cross.sh $arch $jobs'" \
    --customize-hook="download /root/$1 $package_folder/$1"
}

build_package() {
  cd "$package_folder/source" || return
  DEB_BUILD_OPTIONS="parallel=$jobs noautodbgsym" dpkg-buildpackage -b -us -uc
}

# try_package SUITE NAME DEB: installs, uses and removes the package there. Without that
# distribution's archive, it says so.
try_package() {
  local suite=$1 name=$2 file
  file=/var/tmp/$(basename "$3")
  if try "Trying the package on $name" in_fresh_root "$suite" --customize-hook="upload $3 $file" \
    --customize-hook="upload scripts/package/test.sh /var/tmp/package_test.sh" \
    --customize-hook="chroot \"\$1\" bash /var/tmp/package_test.sh $file"; then
    grep '^== ' "$log"
    tried=$((tried + 1))
  elif grep -q '^== ' "$log"; then
    die "the package failed on $name: $(reason "$log") (whole log: ${log#"$PWD"/})"
  else
    say "Not tried on $name: $(reason "$log") (whole log: ${log#"$PWD"/})"
  fi
}

needed=("${build_packages[@]}" "${package_packages[@]}")
[ -z "$try_it" ] && [ "$arch" = "$native" ] || needed+=("${fresh_root_packages[@]}")
need "${needed[@]}"
version=$(dpkg-parsechangelog -l packaging/debian/changelog -S Version)
[ "$(debian_version)" = "$(project_version)" ] ||
  die "package: packaging/debian/changelog is about version $(debian_version), meson.build about" \
    "$(project_version)"
step "Copying the sources" copy_sources
deb=gstreamer1.0-mosaictemporal_${version}_$arch.deb
if [ "$arch" = "$native" ]; then
  step "Building the package" build_package
else
  step "Building the package for $arch" cross_build "$deb"
fi
mkdir -p "$package_out"
cp "$package_folder/$deb" "$package_out"
deb=$package_out/$deb
step "Checking the package" lintian --allow-root --fail-on error --tag-display-limit 0 "$deb"
grep '^[EW]: ' "$log" || true
# A package is for the release on which it was made: libraries have other names elsewhere.
if [ -n "$try_it" ]; then
  tried=0
  try_package "$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")" \
    "$(. /etc/os-release && printf '%s' "$PRETTY_NAME")" "$deb"
  [ "$tried" != 0 ] || die "the package could not be tried"
fi
say "$deb is ready ($(du -h "$deb" | cut -f 1)); to install it: sudo apt-get install ./$deb"
