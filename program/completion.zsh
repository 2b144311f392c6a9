#compdef mosaic-temporal
# SPDX-License-Identifier: LGPL-2.1-or-later
# zsh reads the options from `mosaic-temporal --help`.
_gnu_generic
