#!/usr/bin/env bash
# Finds what the system lacks for `make report` or `make test` and installs it with apt, or names it and fails.
# Usage: tools/install-system-packages.sh report|test [python]
#
# Each check looks for the thing itself (a library that loads, a module that imports), never for a package: a Python or
# a LibreOffice that came another way is as good.
set -euo pipefail

purpose=${1:?usage: $0 report|test [python]}
python=${2:-python3}
missing=()

main() {
    require_python
    need python3-venv "$python" -c 'import ensurepip, venv'
    need libpango-1.0-0 loads libpango-1.0.so.0
    need libpangoft2-1.0-0 loads libpangoft2-1.0.so.0
    need libharfbuzz-subset0 loads libharfbuzz-subset.so.0
    if [ "$purpose" = test ]; then
        need libreoffice-calc-nogui has_calc
        need python3-uno /usr/bin/python3 -c 'import uno'
        need poppler-utils command -v pdftotext
    fi
    [ ${#missing[@]} -eq 0 ] || install_missing
}

require_python() {
    command -v "$python" >/dev/null || fail "no $python was found; install Python 3.11 or newer."
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail \
        "$python is $("$python" --version 2>&1); reportgen needs Python 3.11 or newer." \
        "Name a newer one: make PYTHON=python3.12 ${purpose}"
}

# need PACKAGE COMMAND...: the package is missing if the command fails.
need() {
    local package=$1
    shift
    "$@" >/dev/null 2>&1 || missing+=("$package")
}

loads() {
    "$python" -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "$1"
}

# soffice can be there without the spreadsheet: LibreOffice comes in parts.
has_calc() {
    local soffice
    soffice=$(command -v soffice) && [ -e "$(dirname "$(readlink -f "$soffice")")/libsclo.so" ]
}

install_missing() {
    local advice="Install them yourself, then run make again: apt-get install ${missing[*]}"
    command -v apt-get >/dev/null || fail "missing: ${missing[*]} (names in Debian and Ubuntu)." \
        "This system has no apt-get; install what carries these under other names, then run make again."
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        as_root=(sudo -n)
        sudo -n true 2>/dev/null || fail "missing: ${missing[*]}, and neither root nor sudo without a password." "$advice"
    fi
    echo "Installing with apt: ${missing[*]}"
    "${as_root[@]}" apt-get update -q || fail "apt-get update failed. $advice"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" ||
        fail "apt-get could not install: ${missing[*]}." "$advice"
    check_again
}

# apt serves the system's Python; one from elsewhere may still lack a module, and must not loop or go on.
check_again() {
    [ -z "${REPORTGEN_SECOND_CHECK:-}" ] || fail "installed, but still missing for $(command -v "$python"): ${missing[*]}." \
        "Try the system's Python: make PYTHON=/usr/bin/python3 ${purpose}"
    REPORTGEN_SECOND_CHECK=1 exec "$0" "$purpose" "$python"
}

fail() {
    printf 'reportgen: %s\n' "$@" >&2
    exit 1
}

main
