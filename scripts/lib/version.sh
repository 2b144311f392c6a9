# SPDX-License-Identifier: LGPL-2.1-or-later
# The version is in three files, each for its readers: meson.build, CHANGELOG.md, and the changelog of
# the Debian package.

project_version() { sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build; }

# The newest version in CHANGELOG.md: the first heading that is not "Unreleased".
changelog_version() {
  awk '/^## / && !/Unreleased/ { gsub(/[][]/, "", $2); print $2; exit }' CHANGELOG.md
}

# The newest version in packaging/debian/changelog, without the number of the package ("-1").
debian_version() { sed -nE '1s/^.*\((.*)-[^-]*\).*$/\1/p' packaging/debian/changelog; }
