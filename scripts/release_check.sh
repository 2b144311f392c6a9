# SPDX-License-Identifier: LGPL-2.1-or-later
# `./run release-check`: whether this commit can be released, or what is missing; and which tag to
# make. RELEASING.md has the steps of a release.

. scripts/lib/version.sh
ready=1
missing() {
  say "not ready: $*"
  ready=""
}

check_versions() {
  case $version in
    "" | *[!0-9.]*) missing "meson.build has version '$version', which is not that of a release" ;;
  esac
  [ "$(changelog_version)" = "$version" ] ||
    missing "the newest version in CHANGELOG.md is $(changelog_version), in meson.build $version"
  [ "$(debian_version)" = "$version" ] ||
    missing "packaging/debian/changelog is about version $(debian_version), meson.build about $version"
  ! sed -n 1p packaging/debian/changelog | grep -q UNRELEASED ||
    missing "packaging/debian/changelog says UNRELEASED"
  ! awk '/^## / { inside = /Unreleased/ } inside && !/^#/ && NF { found = 1 } END { exit !found }' \
    CHANGELOG.md ||
    missing "CHANGELOG.md has changes under Unreleased, which belong to a version"
}

check_tree() {
  local changed
  changed=$(git status --porcelain)
  [ -z "$changed" ] || missing "files that are not committed: $(cut -c 4- <<<"$changed" | paste -sd ' ')"
}

# At most one tag of a version, on this commit.
check_tags() {
  local other
  for other in $(git tag --points-at HEAD 'v*'); do
    [ "$other" = "$tag" ] || missing "the commit has the tag $other, but meson.build version $version"
  done
  git rev-parse -q --verify "refs/tags/$tag" >/dev/null || return 0
  [ "$(git rev-parse "$tag^{commit}")" = "$(git rev-parse HEAD)" ] ||
    missing "the tag $tag is on another commit: this version was released before"
}

need git
git rev-parse -q --verify HEAD >/dev/null 2>&1 || die "release-check: no commit of a git repository"
version=$(project_version)
tag=v$version
check_versions
check_tree
check_tags
[ -n "$ready" ] || exit 1
if [ -n "$(git tag --points-at HEAD "$tag")" ]; then
  say "ready: everything says $version, and the commit has the tag $tag"
else
  say "ready: everything says $version; the tag to make: git tag -s $tag -m 'mosaictemporal $version'"
fi
