#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sets Emend up on a fresh Debian 12 and shows what it does: the window with the demo, or, where there
# is no display, the demo in the terminal. Arguments go to the program instead of --demo.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=packaging/packages.sh
. packaging/packages.sh

install_missing "${build_packages[@]}"
cmake --preset release -DBUILD_TESTING=OFF -DEMEND_BENCH=OFF >/dev/null
cmake --build --preset release

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    [ $# -gt 0 ] || set -- --demo
    exec build/release/app/emend "$@"
fi
echo
echo "There is no display, so the demo plays here. With one, this opens the window."
echo
exec build/release/app/emend-cli demo
