#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares lists of CUDA's functions (test-corpus/names/*.txt, a name a line) with what headers/ declares and, for the
functions of the API, with what the runtime library defines; prints for each list how many are implemented, which are
declared as unsupported, and which are missing.

usage: check_names.py [--cxx COMPILER] [--library FILE]      exit code 1 when a list's share falls below the one it must have
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ["cuda_runtime.h", "cuda.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h"]
# The share of a list that must be implemented, and names of it that only another compiler's library has.
LISTS = {"device_functions": (0.97, {"__isfinite", "_dsign"}), "half_functions": (1.0, set()), "runtime_api": (0.97, set()),
         "driver_api": (1.0, set())}
IN_LIBRARY = {"runtime_api", "driver_api"}  # lists whose functions the library must define, unsupported ones too
MARK = "CU2CPP_MARK_UNSUPPORTED"


def preprocess(compiler):
    """The text of all headers, where unsupported functions carry a mark."""
    source = "".join(f"#include <{h}>\n" for h in HEADERS)
    # The mark's macro is empty in plain C++; here it must survive.
    attributes = (ROOT / "headers/cu2cpp/attributes.h").read_text(encoding="utf-8")
    assert "#define CU2CPP_UNSUPPORTED(why)\n" in attributes
    undo = f"#include <cu2cpp/attributes.h>\n#undef CU2CPP_UNSUPPORTED\n#define CU2CPP_UNSUPPORTED(why) {MARK}\n"
    # Host files do not see device functions.
    command = [compiler, "-std=c++17", "-E", "-P", "-x", "c++", "-D__CUDACC__", f"-I{ROOT / 'headers'}", "-"]
    return subprocess.run(command, input=undo + source, capture_output=True, text=True, check=True).stdout


def definitions(library):
    """The names of the functions that the library defines."""
    lines = subprocess.run(["nm", library], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r" [TW] (\w+)$", lines, re.M))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--library", help="libcu2cpp_runtime.a")
    options = parser.parse_args()
    text = preprocess(options.cxx)
    defined = definitions(options.library) if options.library else None
    called = set(re.findall(r"\b([A-Za-z_]\w*)\s*\)?\s*\(", text))
    # A name counts as unsupported when the first parenthesis after a mark is its own.
    unsupported = set(re.findall(MARK + r"[^;(]*?\b(\w+)\s*\(", text))
    failed = False
    for name, (share, exempt) in LISTS.items():
        wanted = (ROOT / f"test-corpus/names/{name}.txt").read_text(encoding="utf-8").split()
        wanted = [n for n in wanted if n not in exempt]
        missing = [n for n in wanted if n not in called]
        if defined is not None and name in IN_LIBRARY:
            missing += [n for n in wanted if n in called and n not in defined]
        marked = [n for n in wanted if n in unsupported]
        done = len(wanted) - len(missing) - len(marked)
        ok = not missing and done >= share * len(wanted)
        failed |= not ok
        print(f"{name}: {done} of {len(wanted)} implemented ({100 * done / len(wanted):.1f} %)"
              f"{'' if ok else ', which is too few'}")
        if marked:
            print("  unsupported:", " ".join(marked))
        if missing:
            print("  missing:", " ".join(missing))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
