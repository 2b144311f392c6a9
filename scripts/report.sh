# SPDX-License-Identifier: LGPL-2.1-or-later
# Makes out/report.html: statistics and pictures of the mosaic of a clip, frame by frame.

[ $# -ge 1 ] || die "usage: ./run report CLIP [PROPERTY=VALUE...]"
[ -f "$1" ] || die "report: no such file: $1"
need "${build_packages[@]}" "${demo_packages[@]}" "${report_packages[@]}"
build_plugin
use_plugin build
mkdir -p out
report=(/usr/bin/python3 scripts/report/report.py "$1" out/report.html)
shift
case " $*" in
  *" tile-location="*) ;;
  *) if fetch_media; then report+=("tile-location=$photos"); fi ;;
esac
step "Drawing and plotting" "${report[@]}" "$@"
say "out/report.html is ready."
