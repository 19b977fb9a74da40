#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# From a fresh Debian 12, 13 or Ubuntu 24.04 to a running translated program: installs packages, builds cu2cpp and cu2cc
# into build/bin, translates samples/vector_add, shows its kernel before and after, compiles it and runs it.
set -euo pipefail
[[ ${1:-} != -h && ${1:-} != --help ]] || { echo "usage: scripts/quickstart.sh   (no options)"; exit 0; }
[[ $# == 0 ]] || { echo "scripts/quickstart.sh takes no options, not '$1'" >&2; exit 2; }
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

check_distribution
install_packages "${build_packages[@]}"
check_compiler
if [[ -f $build/CMakeCache.txt ]]; then
  configure
else
  configure -DCU2CPP_BUILD_TESTS=OFF # scripts/test.sh turns them on
fi
build_targets cu2cpp_product

sample=$root/samples/vector_add/vector_add.cu
place=$build/quickstart
mkdir -p "$place"

# show_kernel file: from the line that starts the kernel to the brace in the first column that ends it.
show_kernel() { sed -n '/void vectorAdd(/,/^}/p' "$1" | sed 's/^/    /'; }

say "The kernel in samples/vector_add/vector_add.cu"
show_kernel "$sample"
say "Translating: build/bin/cu2cpp samples/vector_add/vector_add.cu -o build/quickstart/vector_add.cpp"
"$build/bin/cu2cpp" "$sample" -o "$place/vector_add.cpp"
say "The same kernel in build/quickstart/vector_add.cpp"
show_kernel "$place/vector_add.cpp"
say "Compiling: build/bin/cu2cc build/quickstart/vector_add.cpp -o build/quickstart/vector_add"
"$build/bin/cu2cc" "$place/vector_add.cpp" -o "$place/vector_add"
say "Running build/quickstart/vector_add"
"$place/vector_add"

say "Done. In a Makefile project: make NVCC=$build/bin/cu2cc"
