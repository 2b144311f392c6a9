#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# usage: release_check_test.sh ROOT: what `./run release-check` says about a small repository that is
# ready for a release, and about each thing that may be wrong with it.
set -euo pipefail
root=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Neither the user's settings of git nor a repository around this one.
export HOME=$folder GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES=$folder
unset GIT_DIR GIT_WORK_TREE XDG_CONFIG_HOME
failed=0

in_repository() { git -C "$folder/here" -c user.name=tester -c user.email=tester@localhost "$@"; }

# A commit on which everything says 1.2.3.
make_repository() {
  rm -rf "$folder/here"
  mkdir -p "$folder/here/packaging/debian"
  cp -R "$root/run" "$root/scripts" "$root/.gitignore" "$folder/here"
  printf "project('mosaictemporal', 'cpp',\n  version: '1.2.3',\n  license: 'LGPL-2.1-or-later')\n" \
    >"$folder/here/meson.build"
  printf '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2030-01-02\n\n- Change.\n\n## 1.2.2\n\n- Older.\n' \
    >"$folder/here/CHANGELOG.md"
  printf 'mosaictemporal (1.2.3-1) unstable; urgency=medium\n\n  * New.\n\nmosaictemporal (1.2.2-1) x;\n' \
    >"$folder/here/packaging/debian/changelog"
  in_repository init -q
  commit
}

commit() { in_repository add -A && in_repository commit -q --allow-empty -m "A commit"; }

expect() { # expect STATUS LINE: that is all that ./run release-check prints
  local output status=0
  output=$(MOSAIC_NO_INSTALL=1 "$folder/here/run" release-check 2>&1 </dev/null) || status=$?
  if [ "$status" != "$1" ] || [ "$output" != "$2" ]; then
    printf 'status %s, not %s, instead of "%s": %s\n' "$status" "$1" "$2" "$output"
    failed=1
  fi
}

edit() { # edit FILE OF SED COMMAND: changes a file of a fresh repository and commits it
  make_repository
  sed -i "$2" "$folder/here/$1"
  commit
}

make_repository
expect 0 "ready: everything says 1.2.3; the tag to make: git tag -s v1.2.3 -m 'mosaictemporal 1.2.3'"
in_repository tag v1.2.3
expect 0 "ready: everything says 1.2.3, and the commit has the tag v1.2.3"
commit
expect 1 "not ready: the tag v1.2.3 is on another commit: this version was released before"

make_repository
in_repository tag -a v1.2.4 -m "An annotated tag"
expect 1 "not ready: the commit has the tag v1.2.4, but meson.build version 1.2.3"
make_repository
touch "$folder/here/new"
echo >>"$folder/here/meson.build"
expect 1 "not ready: files that are not committed: meson.build new"

edit CHANGELOG.md 's/1.2.3/1.3.0/'
expect 1 "not ready: the newest version in CHANGELOG.md is 1.3.0, in meson.build 1.2.3"
edit CHANGELOG.md 's/^## \[Unreleased\]/&\n\n### Added\n\n- More./'
expect 1 "not ready: CHANGELOG.md has changes under Unreleased, which belong to a version"
edit CHANGELOG.md 's/^## \[Unreleased\]/&\n\n### Added/'
expect 0 "ready: everything says 1.2.3; the tag to make: git tag -s v1.2.3 -m 'mosaictemporal 1.2.3'"
edit packaging/debian/changelog 's/1.2.3/1.2.0/'
expect 1 "not ready: packaging/debian/changelog is about version 1.2.0, meson.build about 1.2.3"
edit packaging/debian/changelog '1s/unstable/UNRELEASED/'
expect 1 "not ready: packaging/debian/changelog says UNRELEASED"
edit meson.build 's/1.2.3/1.2.3-dev/'
expect 1 "not ready: meson.build has version '1.2.3-dev', which is not that of a release
not ready: the newest version in CHANGELOG.md is 1.2.3, in meson.build 1.2.3-dev
not ready: packaging/debian/changelog is about version 1.2.3, meson.build about 1.2.3-dev"

rm -rf "$folder/here/.git"
expect 1 "run: release-check: no commit of a git repository"
exit "$failed"
