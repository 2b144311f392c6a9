#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# usage: fresh_machine.sh SOURCES: the first commands of a newcomer, one after the other, as root of a
# minimal Debian or Ubuntu that is thrown away afterwards (see fresh_machines.sh). Prints a line that
# begins with `==` when it starts, and `== COMMAND: STATUS` after each.
set -u
. /etc/os-release
echo "== $PRETTY_NAME"
cd "$1" || exit
for command in demo test; do
  ./run "$command" </dev/null
  echo "== $command: $?"
done
