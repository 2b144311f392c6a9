# SPDX-License-Identifier: LGPL-2.1-or-later
# `./run reference`: the element's documentation in the form of GStreamer's own, which hotdoc makes
# of the comment in gst/element/mosaictemporal.h and of the plugin's description,
# docs/reference/gst_plugins_cache.json. Writes out/reference, and anew the description and the table of
# properties in docs/properties.md.

. scripts/lib/version.sh
reference=$PWD/docs/reference
description=$reference/gst_plugins_cache.json

# For the build of hotdoc; the first name is for pip up to 25.2, the second for later versions.
export PIP_CONSTRAINT=$PWD/scripts/reference/build_constraints.txt PIP_BUILD_CONSTRAINT
PIP_BUILD_CONSTRAINT=$PIP_CONSTRAINT

find_hotdoc() {
  "$python" scripts/lib/in_venv.py scripts/reference/requirements.txt -c \
    'import sys; print(sys.prefix + "/bin/hotdoc")'
}

# make_pages HOTDOC: the pages are made of the comments of the elements: index.md is empty. hotdoc keeps
# files in the current folder.
make_pages() {
  local out=$PWD/out/reference
  rm -rf "$out"
  mkdir -p "$out" "$cache/reference"
  cd "$cache/reference"
  "$1" run --project-name mosaictemporal --project-version "$version" \
    --sitemap "$reference/sitemap.txt" --index "$reference/index.md" \
    --gst-index "$reference/index.md" --gst-smart-index --gst-plugin-name mosaictemporal \
    --gst-cache-file "$description" --output "$out" \
    --gst-c-sources "$reference"/../../gst/{element/mosaictemporal,stream/mosaic_parse,stream/mosaic_render}.h
}

need "${build_packages[@]}" "${reference_packages[@]}"
build_plugin
use_plugin build
step "Describing the plugin" /usr/bin/python3 scripts/reference/plugin_cache.py "$description"
"$python" scripts/reference/property_table.py "$description" docs/properties.md
step "Fetching hotdoc" find_hotdoc
program=$(tail -n 1 "$log")
version=$(project_version)
step "Making the pages" make_pages "$program"
! grep -q gtk-doc-bad-link "$log" ||
  die "the comment links to what does not exist: $(grep -m 1 -o 'Trying to link.*' "$log")"
say "out/reference/html/index.html is ready."
