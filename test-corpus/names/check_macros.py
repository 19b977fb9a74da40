#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program's own macros must not reach into our headers: -DN=1024, -DT=float, or -DA=1 to -DZ=1. Compiles all public
headers with such macros on the command line by each compiler given, and translates a kernel that includes them.

usage: check_macros.py --build-dir B --compiler g++[,clang++-19]      exit code 1 when a header uses such a name
"""
import argparse
import pathlib
import string
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEADERS = ROOT / "headers"
# Each set as programs have it: a constant, a size, a type. What a macro stands for decides what breaks.
SETS = {
    "letters that are numbers": [f"-D{letter}=1" for letter in string.ascii_uppercase],
    "letters that are types": [f"-D{letter}=float" for letter in string.ascii_uppercase],
    "letters that are nothing": [f"-D{letter}=" for letter in string.ascii_uppercase],
    "usual names": ["-DTYPE=float", "-DREAL=double", "-DDTYPE=float", "-DTA=8", "-DTB=8", "-DTC=8", "-DLA=1", "-DLB=1",
                    "-DBLOCK_SIZE=256", "-DBLOCK_THREADS=128", "-DTHREADS=256", "-DBLOCK=32", "-DTILE=16", "-DSIZE=1024",
                    "-DTILE_SIZE=16", "-DBLOCK_DIM_X=16", "-DBLOCK_DIM_Y=16", "-DBLOCK_DIM_Z=1", "-DITEMS=4",
                    "-DITEMS_PER_THREAD=4", "-DLENGTH=64", "-DWIDTH=64", "-DHEIGHT=64", "-DDEPTH=8", "-DBINS=256",
                    "-DCHANNELS=3", "-DALGORITHM=1", "-DMODIFIER=1", "-DDIM=3", "-DRANK=2", "-DCOUNT=7", "-DMASK=31",
                    "-DWARP=32", "-DWARP_SIZE=32", "-DVERSION=2", "-DDEBUG=1", "-DRADIUS=4", "-DSTRIDE=2", "-DOFFSET=1"],
}
# Headers whose own contents other packages bring, and those that must not be included by hand.
LEFT_OUT = {"cuda_gl_interop.h", "nv", "thrust", "cccl", "cu2cpp", "crt"}


def public_headers():
    files = [p for p in HEADERS.iterdir() if p.is_file() and p.name not in LEFT_OUT]
    for folder in ("cooperative_groups", "cuda", "cuda/std"):
        files += [p for p in (HEADERS / folder).iterdir() if p.is_file()]
    names = sorted(str(p.relative_to(HEADERS)) for p in files if p.suffix != ".hpp" and p.name != "namespace.h")
    return [n for n in names if n.startswith("cuda_runtime")] + names + ["cub/cub.cuh"]


def attempt(command, where):
    result = subprocess.run(list(map(str, command)), cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return result.returncode, "\n".join(line for line in result.stdout.splitlines() if "error" in line)[:3000]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build-dir", required=True, type=pathlib.Path)
    parser.add_argument("--compiler", default="g++")
    options = parser.parse_args()
    headers = public_headers()
    failed = False
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        includes = "".join(f"#include <{h}>\n" for h in headers)
        (work / "all.cpp").write_text(includes + "int main() {}\n")
        (work / "all.cu").write_text(includes + "__global__ void kernel(int *out) { out[threadIdx.x] = 1; }\n")
        for title, macros in SETS.items():
            commands = {c: [c, "-std=c++17", "-fopenmp", "-w", "-fsyntax-only", f"-I{HEADERS}", *macros, "all.cpp"]
                        for c in options.compiler.split(",")}
            commands["cu2cpp"] = [options.build_dir / "bin/cu2cpp", "all.cu", "-o", "translated.cpp", "--", *macros]
            for who, command in commands.items():
                code, errors = attempt(command, work)
                print(f"{'FAIL' if code else 'ok'}: {len(headers)} headers, {title}, {who}", flush=True)
                if code:
                    print(errors)
                    failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
