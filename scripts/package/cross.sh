#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# usage: cross.sh ARCHITECTURE JOBS, in a folder with sources and debian/: builds the package
# for another processor. Installs packages, so only for a system that is thrown away afterwards (see
# fresh_root.sh): `./run package --arch` runs it there.
set -euo pipefail
arch=$1 jobs=$2
export DEBIAN_FRONTEND=noninteractive DEB_BUILD_OPTIONS="parallel=$jobs noautodbgsym nocheck"
apt-get install -y --no-install-recommends "crossbuild-essential-$arch"
apt-get build-dep -y --no-install-recommends -a "$arch" -P cross,nocheck ./
dpkg-buildpackage -b -us -uc -a "$arch" -Pcross,nocheck
