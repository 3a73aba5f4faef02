#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sets up a fresh Debian 12, builds with warnings as errors, and runs all tests.
# `packaging/test.sh asan` or `tsan` does the same under the sanitizers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=packaging/packages.sh
. packaging/packages.sh

preset="${1:-dev}"
install_missing "${build_packages[@]}" "${test_packages[@]}"
cmake --preset "$preset"
cmake --build --preset "$preset"
ctest --preset "$preset" --parallel "$(nproc)"
