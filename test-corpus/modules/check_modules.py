#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a module with cu2cc and a program that loads it and compiles another one at run time, and runs the program; then
programs that load PTX and that find the driver API by dlopen().

usage: check_modules.py --build-dir DIR
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", required=True, type=pathlib.Path)
    cu2cc = parser.parse_args().build_dir.resolve() / "bin/cu2cc"
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        environment = {**os.environ, "CU2CPP_CACHE": str(work / "cache"), "CU2CPP_CU2CC": str(cu2cc)}
        module, program = work / "kernels.fatbin", work / "loader"
        subprocess.run([cu2cc, "-O1", "-fatbin", HERE / "kernels.cu", "-o", module], check=True)
        subprocess.run([cu2cc, "-O1", HERE / "loader.cpp", "-o", program, "-lcuda", "-lnvrtc"], check=True)
        # The second run finds what the first one has compiled in the cache.
        for _ in range(2):
            done = subprocess.run([program, module], env=environment, capture_output=True, text=True, timeout=300)
            if done.returncode != 0 or "PASS" not in done.stdout:
                print(done.stdout, done.stderr)
                return 1
        if len(list((work / "cache").iterdir())) == 0:
            print("nothing is in the cache")
            return 1
        # What a kernel of ptx_modules.cu prints by vprintf comes first.
        for source, flag, printed in ("ptx_modules.cu", "-lcuda", "1 1.0 ord %\n"), ("driver_by_dlopen.cu", "-ldl", ""):
            for form in "auto", "fibers":
                one = {**environment, "CU2CPP_CACHE": str(work / form)}
                subprocess.run([cu2cc, "-O1", f"--cu2cpp-form={form}", HERE / source, "-o", program, flag], check=True)
                done = subprocess.run([program], env=one, capture_output=True, text=True, timeout=300)
                if done.returncode != 0 or done.stdout != printed + "PASS\n":
                    print(source, form, done.stdout, done.stderr)
                    return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
