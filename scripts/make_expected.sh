#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes the corpus's .expected files on a machine with a GPU and CUDA's compiler: builds every program of
# test-corpus/{run,guide,known-bugs} with nvcc, runs it twice, and packs the outputs.
#
#   scripts/make_expected.sh OUT_DIR [FILTER]    build and run (programs whose path contains FILTER);
#                                                writes OUT_DIR/expected.tar.gz and OUT_DIR/expected.log
#   scripts/make_expected.sh --place ARCHIVE     put the packed outputs beside their programs
#   scripts/make_expected.sh --compile [FILTER]  only check that every program is legal CUDA (no GPU needed)
#
# Directives read from a program's leading comments: ARGS, FLAGS, EXIT, UNORDERED (see scripts/run_corpus.py).
# Environment: NVCC (default: nvcc), ARCH (default: sm_90), JOBS (default: number of cores).
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ "${1:-}" == --place ]]; then
  tar -xzf "$2" -C test-corpus
  echo "placed $(tar -tzf "$2" | grep -c '\.expected$') outputs under test-corpus/"
  exit 0
fi

compile_only=0
if [[ "${1:-}" == --compile ]]; then
  compile_only=1
elif [[ $# -lt 1 ]]; then
  sed -n '3,14p' "$0"
  exit 2
else
  mkdir -p "$1"
  out=$(cd "$1" && pwd)
fi
filter="${2:-}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NVCC="${NVCC:-nvcc}" ARCH="${ARCH:-sm_90}" work compile_only
# Compilers write large temporary files; keep them with ours.
export TMPDIR="$work"
# Drivers come without the name that -lcuda looks for; without a driver an empty library does for compiling.
mkdir "$work/lib"
driver=$(ldconfig -p | sed -n 's#.*libcuda\.so\.1 .*=> ##p' | head -n 1)
if [[ -n "$driver" ]]; then
  ln -s "$driver" "$work/lib/libcuda.so"
elif [[ "$compile_only" == 1 ]]; then
  echo 'void cuNothing(void) {}' | cc -shared -x c - -o "$work/lib/libcuda.so"
fi

# one PROGRAM: builds and runs one program given by its main file, relative to test-corpus/.
one() {
  local main="$1" name sources directive flags args exit_code
  name="${main%.cu}"
  directive() { sed -n "1,20s#^// $1:* *##p" "test-corpus/$main" | head -n 1; }
  if [[ "$main" == */main.cu ]]; then
    sources=$(find "test-corpus/$(dirname "$main")" -name '*.cu' -o -name '*.cpp' -o -name '*.c' | grep "^test-corpus/$(dirname "$main")/" | sort)
  else
    sources="test-corpus/$main"
  fi
  flags=$(directive FLAGS) args=$(directive ARGS) exit_code=$(directive EXIT)
  mkdir -p "$work/$(dirname "$name")"
  [[ "$compile_only" == 1 ]] && flags="$flags -Xlinker --unresolved-symbols=ignore-all"
  # shellcheck disable=SC2086 # sources and flags are lists of words
  if ! "$NVCC" -std=c++17 "-arch=$ARCH" --extended-lambda --expt-relaxed-constexpr "-L$work/lib" $flags $sources \
      -o "$work/$name.exe" >"$work/$name.build" 2>&1; then
    echo "BUILD FAILED $main"
    head -n 30 "$work/$name.build"
    return
  fi
  [[ "$compile_only" == 1 ]] && return
  local run code
  for run in 1 2; do
    code=0
    # shellcheck disable=SC2086 # args is a list of words
    (cd "$work/$(dirname "$name")" && timeout 60 "$work/$name.exe" $args >"$work/$name.$run" 2>"$work/$name.err") || code=$?
    if [[ "$code" != "${exit_code:-0}" ]]; then
      echo "RUN FAILED $main: exit code $code"
      tail -n 5 "$work/$name.$run" "$work/$name.err"
      return
    fi
    [[ -n "$(sed -n '1,20s#^// UNORDERED.*#yes#p' "test-corpus/$main")" ]] && sort -o "$work/$name.$run" "$work/$name.$run"
  done
  if ! cmp -s "$work/$name.1" "$work/$name.2"; then
    echo "NOT DETERMINISTIC $main"
    diff "$work/$name.1" "$work/$name.2" | head -n 10
    return
  fi
  mv "$work/$name.1" "$work/$name.expected"
  echo "ok $main"
}
export -f one

(cd test-corpus && find $(ls -d run guide known-bugs 2>/dev/null) -name '*.cu') |
  python3 -c '
import os, sys
files = sorted(line.strip() for line in sys.stdin)
folders = {os.path.dirname(f) for f in files if os.path.basename(f) == "main.cu"}
for f in files:
    if os.path.basename(f) == "main.cu" or not any(f.startswith(d + "/") for d in folders):
        print(f)' | grep -F -- "$filter" >"$work/programs"
xargs -a "$work/programs" -P "${JOBS:-$(nproc)}" -I{} bash -c 'one "$1"' _ {} >"$work/log"

grep -v '^ok ' "$work/log" || true
if [[ "$compile_only" == 1 ]]; then
  [[ ! -s "$work/log" ]]
  exit
fi
ok=$(grep -c '^ok ' "$work/log" || true)
echo "$ok of $(wc -l <"$work/programs") programs gave an output"
cp "$work/log" "$out/expected.log"
(cd "$work" && find . -name '*.expected' | sed 's#^\./##' | sort | tar -czf "$out/expected.tar.gz" -T -)
