# SPDX-License-Identifier: LGPL-2.1-or-later
# `./run demo` and `./run test` as on a newcomer's machine: in fresh, minimal systems with nothing
# installed, with what is committed. The systems and all that is built in them are thrown away.

. scripts/lib/fresh_root.sh

# run_on_fresh_machine SUITE
run_on_fresh_machine() {
  local sources=$cache/fresh certificates=/usr/local/share/ca-certificates hooks=()
  rm -rf "$sources" && git clone --quiet --no-hardlinks . "$sources" || return
  # Where the network needs certificates of its own, this machine has them.
  [ ! -d "$certificates" ] || hooks=(--customize-hook="copy-in $certificates ${certificates%/*}")
  in_fresh_root "$1" "${hooks[@]}" --customize-hook="copy-in $sources /root" \
    --customize-hook="chroot \"\$1\" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
      MOSAIC_JOBS=$jobs bash /root/fresh/scripts/test/fresh_machine.sh /root/fresh"
}

# fresh_machine SUITE: counts what passed, failed and was skipped there.
fresh_machine() {
  local line before=${#failures[@]}
  if [ "$(id -u)" != 0 ] || [ -n "${MOSAIC_NO_INSTALL:-}" ]; then
    record_result skipped "$part (needs root, and installs packages)"
    return
  fi
  need "${fresh_root_packages[@]}"
  try "$part" run_on_fresh_machine "$1" || true
  rm -rf "$cache/fresh"
  if ! grep -q '^== ' "$log"; then
    record_result skipped "$part: $(reason "$log") (whole log: ${log#"$PWD"/})"
    return
  fi
  while IFS= read -r line; do
    case "$line" in
      "skipped: "*) record_result skipped "$part: ${line#skipped: }" ;;
      "failed: "* | "run: "*) record_result failed "$part: ${line#failed: }" ;;
      [0-9]*" passed, "*) passed=$((passed + ${line%% *})) && say "  $part: $line" ;;
      "The photos and the clip cannot be fetched"*) say "  $part: $line" ;;
    esac
  done <"$log"
  [ "$(grep -c '^== .*: 0$' "$log")" = 2 ] || [ "${#failures[@]}" != "$before" ] ||
    record_result failed "$part (whole log: ${log#"$PWD"/})"
}

fresh_debian_12() { fresh_machine bookworm; }
fresh_debian_13() { fresh_machine trixie; }
fresh_ubuntu_24_04() { fresh_machine noble; }
