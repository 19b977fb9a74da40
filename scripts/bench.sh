#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds and runs the workloads of bench/ against hand-written OpenMP and writes docs/performance.md: see --help.
exec python3 "$(dirname "$0")/bench.py" "$@"
