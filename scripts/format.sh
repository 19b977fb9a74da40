#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Formats all C++ sources of the project with clang-format 19; --check only tells which files differ. The corpus and the
# samples keep their own layout: that translation leaves it alone is part of what they test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tool=clang-format-19
command -v $tool >/dev/null || { echo "format.sh: $tool is not installed (package clang-format-19)" >&2; exit 2; }
mode=-i
case ${1:-} in
'') ;;
--check) mode='--dry-run --Werror' ;;
*) echo "usage: scripts/format.sh [--check]" >&2; exit 2 ;;
esac

find translator runtime-omp headers \( -name '*.cpp' -o -name '*.h' -o -name '*.hpp' -o -name '*.cuh' \) -print0 |
  sort -z | xargs -0 $tool $mode
