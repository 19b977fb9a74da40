#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The samples and their translations beside them.

usage: samples.py --build-dir DIR [--write | --check] [NAME ...]

--write  makes the translations again. --check tells which are not what cu2cpp makes today (exit code 1). Without either,
builds each sample and its translation with cu2cc and runs both: each must print PASS.
"""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

SAMPLES = Path(__file__).resolve().parent.parent / "samples"


def run(*words):
    result = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            stdin=subprocess.DEVNULL, timeout=600)
    return result.returncode, result.stdout


def translate(build, source, output):
    code, said = run(build / "bin" / "cu2cpp", source, "-o", output, "--quiet")
    if code != 0:
        sys.exit(f"{source}: cu2cpp ended with {code}\n{said}")


def passes(build, source, place):
    program = place / "program"
    code, said = run(build / "bin" / "cu2cc", source, "-o", program)
    if code == 0:
        code, said = run(program)
    right = code == 0 and any(line.startswith("PASS") for line in said.splitlines())
    print(f"{'passed' if right else 'FAILED'} {source.relative_to(SAMPLES)}", flush=True)
    if not right:
        print(f"  exit code {code}\n{said[-3000:]}")
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--build-dir", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    build = options.build_dir.resolve()
    names = options.names or sorted(p.parent.name for p in SAMPLES.glob("*/*.cu"))
    wrong = 0
    with tempfile.TemporaryDirectory() as place:
        for name in names:
            source = SAMPLES / name / f"{name}.cu"
            kept = source.with_suffix(".cpp")
            if options.write:
                translate(build, source, kept)
            elif options.check:
                translate(build, source, Path(place) / kept.name)
                if not kept.exists() or kept.read_text() != (Path(place) / kept.name).read_text():
                    print(f"{kept.relative_to(SAMPLES.parent)} is not what cu2cpp makes: run scripts/samples.py --write")
                    wrong += 1
            else:
                for program in (source, kept):
                    wrong += not passes(build, program, Path(place))
    return int(wrong != 0)


if __name__ == "__main__":
    sys.exit(main())
