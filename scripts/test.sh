#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what the tests need, builds everything and runs all tests: unit tests, the corpus, samples and the package
# test. By default each corpus program runs in a fixed share of its matrix (forms x threads x compilers); --full runs all.
set -euo pipefail

usage() {
  cat <<'END'
usage: scripts/test.sh [--full] [--jobs N] [-- arguments for ctest]
  --full     every program in all forms, thread counts and compilers
  --jobs N   tests at a time (default: number of processors)
END
}

matrix=share
jobs=$(nproc)
while [[ $# -gt 0 ]]; do
  case $1 in
  --full) matrix=full ;;
  --jobs)
    [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || { echo "scripts/test.sh: --jobs needs a number" >&2; exit 2; }
    jobs=$2
    shift
    ;;
  -h | --help) usage; exit 0 ;;
  --) shift; break ;;
  *) echo "scripts/test.sh: unknown option '$1'" >&2; usage >&2; exit 2 ;;
  esac
  shift
done
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

check_distribution
install_packages "${build_packages[@]}" "${test_packages[@]}"
check_compiler
configure -DCU2CPP_BUILD_TESTS=ON -DCU2CPP_TEST_MATRIX=$matrix
build_targets

say "Running the tests ($matrix of the matrix, $jobs at a time)"
cd "$build"
exec ctest --output-on-failure --no-tests=error -j "$jobs" "$@"
