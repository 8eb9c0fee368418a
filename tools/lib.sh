# What the tools share: messages, one way to install packages, one way to build.
# Sourced, never run.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else fail "'$*' needs root: run this as root or install sudo"
  fi
}

# need_packages PACKAGE...: installs those that are missing, all in one go.
need_packages() {
  local missing=() package
  command -v apt-get >/dev/null ||
    fail "this machine has no apt-get; install these yourself: $*"
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing ${missing[*]}"
  as_root apt-get update -qq || say "apt-get update failed; trying with the package lists at hand"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >&2 ||
    fail "apt-get could not install ${missing[*]}"
}

build_packages=(
  g++ cmake ninja-build ccache git ca-certificates
  libboost-dev nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libfmt-dev libpcre2-dev
  libutf8proc-dev
)
test_packages=("${build_packages[@]}" doctest-dev python3 python3-pip python3-venv)
# Only Debian 12's updates and Ubuntu 24.04's universe have version 19; tests that need it skip without.
clang_packages=(clang-19 clang-format-19 libclang-rt-19-dev)

# configure PRESET [CMAKE OPTIONS...]
configure() {
  local preset=$1; shift
  say "configuring build/$preset"
  (cd "$root" && cmake --preset "$preset" "$@" >"$root/build/$preset.configure.log" 2>&1) ||
    { cat "$root/build/$preset.configure.log" >&2; fail "configuring failed"; }
}

jobs() { nproc; }
