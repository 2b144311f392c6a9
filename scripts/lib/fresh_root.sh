# SPDX-License-Identifier: LGPL-2.1-or-later
# A fresh, minimal Debian or Ubuntu in a temporary folder, made by mmdebstrap from the distribution's
# archive. Nothing of it is left afterwards, and nothing of this machine's system changes.

fresh_root_packages=(mmdebstrap distro-info-data debian-archive-keyring gpg)
ubuntu_keys=/usr/share/keyrings/ubuntu-archive-keyring.gpg

# Debian 12 has no package with the keys of Ubuntu's archive; Debian 13 has.
fetch_ubuntu_keys() {
  mmdebstrap --variant=extract --include=ubuntu-keyring --format=null \
    --extract-hook="download $ubuntu_keys $1.part" trixie - && mv "$1.part" "$1"
}

# in_fresh_root SUITE [OPTION OF MMDEBSTRAP...]: makes the system and runs the hooks among the options.
in_fresh_root() {
  local suite=$1 options=()
  shift
  case $suite in
    noble)
      options+=("--components=main,universe")
      if [ ! -f "$ubuntu_keys" ]; then
        [ -f "$cache/ubuntu-keys.gpg" ] || fetch_ubuntu_keys "$cache/ubuntu-keys.gpg" || return
        options+=(--keyring="$cache/ubuntu-keys.gpg")
      fi
      ;;
  esac
  # What is thrown away need not be safe from a loss of power; installing is quicker.
  mmdebstrap --variant=minbase --include=apt --format=null --dpkgopt=force-unsafe-io "${options[@]}" \
    "$@" "$suite" -
}
