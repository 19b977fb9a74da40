#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose loops over threads clang++ must turn into vectors, whatever the processor: compiles each program of this
folder with `cu2cc --cu2cpp-explain-vectorisation` and looks for a loop that stayed scalar. A program's line `// ASSEMBLY:
REGEX` tells an instruction that its object has to have, `// NO ASSEMBLY: REGEX` one that a loop does not have that should stay scalar,
`// OTHER LOOPS` that loops for rare blocks may stay so, `// PROCESSOR: NAME` another processor than AVX2's.

usage: check_vectors.py --build-dir B      exit code 1 when a loop over threads is not vectorised, 77 without clang++
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def run(*command):
    return subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build-dir", required=True, type=pathlib.Path)
    options = parser.parse_args()
    if not shutil.which("clang++-19"):
        return 77
    failed = False
    for program in sorted(HERE.glob("*.cu")):
        with tempfile.TemporaryDirectory() as folder:
            thing = pathlib.Path(folder) / "program.o"
            text = program.read_text(encoding="utf-8")
            processor = re.search(r"^// PROCESSOR: (.*)$", text, re.M)
            result = run(options.build_dir / "bin/cu2cc", "--cu2cpp-explain-vectorisation", "-Xcompiler",
                         "-march=" + (processor[1] if processor else "x86-64-v3"), "-c", program, "-o", thing)
            loops = [line for line in result.stdout.splitlines() if "loops over threads" in line]
            assembly = run("objdump", "-dr", thing).stdout if thing.exists() else ""
            wanted = re.search(r"^// ASSEMBLY: (.*)$", text, re.M)
            unwanted = re.search(r"^// NO ASSEMBLY: (.*)$", text, re.M)
            good = result.returncode == 0 and loops
            if unwanted:
                good = good and not re.search(unwanted[1], assembly)
            elif not re.search(r"^// OTHER LOOPS$", text, re.M):
                good = good and not any(" not" in line for line in loops)
            if wanted:
                good = good and re.search(wanted[1], assembly)
        print(f"{'ok' if good else 'FAIL'}: {program.name}")
        if not good:
            print(result.stdout)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
