# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by run.sh and test.sh: what Emend is built with on Debian 12, and how it is installed.
# shellcheck shell=bash

build_packages=(
    g++ cmake ninja-build ccache mold # the tools; ccache and mold only make it faster
    qt6-base-dev qt6-base-dev-tools libqt6opengl6-dev libgl1-mesa-dev # Qt Widgets, Network
    qt6-svg-dev libqt6svg6            # icons
    qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools # translations, Qt Test
    nlohmann-json3-dev                # JSON: what we write, and the strict reader is built on its SAX
    libre2-dev pkg-config             # patterns in linear time, whatever a schema and a model think up
    libexpected-dev                   # tl::expected: failure is a value
    libsimdjson-dev                   # scanning traces ten times faster than any other way
    qtkeychain-qt6-dev libsecret-1-0  # keys in the system's keychain; it loads the second at run time
    python3-pytest                    # judges the Python that a model writes; its python3 also SQL,
                                      # in a process that can be limited and killed
    bubblewrap                        # keeps what a model writes away from the machine
    libqt6sql6-sqlite                 # escalations in one file that survives a crash
    libcurl4-openssl-dev ca-certificates # HTTP that can be killed: Qt's client reads on after an abort
    libssl-dev                        # which certificate is at fault, and since when
    libqscintilla2-qt6-dev            # an editor for code: line numbers, colours, undo, long files
    fonts-dejavu-core                 # something to draw text with
)
test_packages=(
    xvfb xauth # a real window in the tests
    dbus gnome-keyring libsecret-tools # a real keychain in the tests
)

# install_missing NAME…: installs what is not there; asks for nothing.
install_missing() {
    local missing=() name
    for name in "$@"; do
        dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q '^install ok installed$' ||
            missing+=("$name")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    echo "Installing: ${missing[*]}"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || {
            echo "Please install these packages as root, then start this script again." >&2
            return 1
        }
        as_root=(sudo)
    fi
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 update
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 \
        install -y --no-install-recommends "${missing[@]}"
}
