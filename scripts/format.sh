# SPDX-License-Identifier: LGPL-2.1-or-later
# check_format() and the command `./run format`. Versions of clang-format format differently; the
# project uses 14.

clang_format() { command -v clang-format-14 || true; }

check_format() {
  git ls-files -z '*.cpp' '*.cu' '*.h' | xargs -0 -r "$(clang_format)" --dry-run -Werror
}

if [ "$command" = format ]; then
  need git clang-format-14
  git ls-files -z '*.cpp' '*.cu' '*.h' | xargs -0 -r "$(clang_format)" -i
fi
