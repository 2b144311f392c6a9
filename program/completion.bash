# SPDX-License-Identifier: LGPL-2.1-or-later
# Completion of mosaic-temporal's options and file names for bash.
_mosaic_temporal() {
  local word=${COMP_WORDS[COMP_CWORD]}
  if [[ ${COMP_WORDS[1]} =~ ^(pack|serve|part|join|status)$ && $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(mosaic-temporal "${COMP_WORDS[1]}" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*')" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(mosaic-temporal --help-all 2>/dev/null | grep -oE -- '--[a-z][a-z-]*')" -- "$word")
  elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == --preset ]]; then
    mapfile -t COMPREPLY < <(compgen -W "faithful fast film natural photos plain tile ultra vivid vivid_b" -- "$word")
  fi
}
complete -o default -F _mosaic_temporal mosaic-temporal
