# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What quickstart.sh and test.sh share: say what happens, check the machine, install packages that are missing, configure
# and build into build/. Sourced, not run. Everything can be done again: what is there already is left alone.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build

build_packages=(g++ cmake make ninja-build ccache llvm-19-dev libclang-19-dev clang-19
  libboost-context-dev nlohmann-json3-dev libopenblas-dev)
test_packages=(libgtest-dev libomp-19-dev libthrust-dev clang-format-19 python3)

say() { printf '\n== %s\n' "$*"; }

stop() {
  printf '\nStopped: %s\n' "$*" >&2
  exit 2
}

check_distribution() {
  local id='' version=''
  if [[ -r /etc/os-release ]]; then
    id=$(. /etc/os-release && echo "${ID:-}")
    version=$(. /etc/os-release && echo "${VERSION_ID:-}")
  fi
  case "$id $version" in
  'debian 12' | 'debian 13' | 'ubuntu 24.04') ;;
  *)
    command -v apt-get >/dev/null && command -v dpkg-query >/dev/null ||
      stop "this script installs packages for Debian 12, Debian 13 and Ubuntu 24.04; this is '${id:-unknown} $version'. See 'Building by hand' in CONTRIBUTING.md."
    say "Not one of the tested systems (Debian 12, 13, Ubuntu 24.04) but '$id $version': trying the same packages"
    ;;
  esac
}

is_installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  else
    sudo "$@"
  fi
}

# install_packages a b ... installs those that are missing; a machine that has them all needs no network and no root.
install_packages() {
  local missing=() package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  if [[ ${#missing[@]} == 0 ]]; then
    say "All packages are there: $*"
    return
  fi
  say "Installing packages: ${missing[*]}"
  [[ $(id -u) == 0 ]] || command -v sudo >/dev/null ||
    stop "packages are missing (${missing[*]}) and this is neither root nor is there sudo."
  export DEBIAN_FRONTEND=noninteractive
  local get=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120)
  local updated=yes
  as_root "${get[@]}" -o APT::Update::Error-Mode=any update </dev/null || updated=no
  for package in "${missing[@]}"; do
    [[ -z $(apt-cache policy "$package" 2>/dev/null | grep 'Candidate: [^(]') ]] || continue
    [[ $updated == yes ]] ||
      stop "the package lists could not be fetched (apt's own message is above). Is there a network?"
    stop "this system's package sources have no package '$package'. On Ubuntu, 'noble-updates' and the component 'universe' must be enabled."
  done
  as_root "${get[@]}" install --no-install-recommends "${missing[@]}" </dev/null ||
    stop "apt-get could not install the packages; its message is above."
}

check_compiler() {
  local program
  program=$(mktemp -d)
  echo 'int main() { return 0; }' >"$program/a.cpp"
  "${CXX:-g++}" -std=c++17 -fopenmp "$program/a.cpp" -o "$program/a" 2>"$program/log" || {
    cat "$program/log" >&2
    rm -rf "$program"
    stop "no working C++ compiler: '${CXX:-g++} -std=c++17 -fopenmp' fails on an empty program, see above."
  }
  rm -rf "$program"
}

# configure option... configures build/. A build directory that exists keeps its generator and its own options.
configure() {
  local options=("$@")
  [[ -f $build/CMakeCache.txt ]] || options+=(-G Ninja)
  if command -v ccache >/dev/null; then
    # Without these words ccache does not keep what was compiled with precompiled headers.
    local launcher='env;CCACHE_SLOPPINESS=pch_defines,time_macros;ccache'
    options+=("-DCMAKE_C_COMPILER_LAUNCHER=$launcher" "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher")
  fi
  say "Configuring $build"
  cmake -S "$root" -B "$build" "${options[@]}" ||
    stop "CMake could not configure; its message is above. If build/ is from another machine or compiler, remove it."
}

# build_targets target... builds them, everything without arguments.
build_targets() {
  local targets=()
  [[ $# == 0 ]] || targets=(--target "$@")
  say "Building with $(nproc) processors"
  cmake --build "$build" -j "$(nproc)" "${targets[@]}" || stop "the build failed; the compiler's message is above."
}
