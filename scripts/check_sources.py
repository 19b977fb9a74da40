#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what every source of the project has in common: the licence line on top, and a version that CMakeLists.txt and
CHANGELOG.md agree on. Exit code 1 and one line for each problem.

usage: check_sources.py [root]
"""
import pathlib
import re
import sys

LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
FOLDERS = ["translator", "runtime-omp", "headers", "scripts", "cmake"]
SOURCES = {".h", ".hpp", ".cpp", ".def", ".in", ".py", ".sh", ".cmake", ".cuh"}


def problems(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in SOURCES:
                with path.open(encoding="utf-8") as file:
                    top = [file.readline() for _ in range(2)]  # the second line where the first names an interpreter
                if not any(LICENCE in line for line in top):
                    yield f"{path.relative_to(root)}:1: no line '{LICENCE}'"

    project = re.search(r"project\(cu2cpp VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text(encoding="utf-8"))
    entry = re.search(r"^## ([0-9.]+)", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    if not project or not entry or project.group(1) != entry.group(1):
        yield (f"CMakeLists.txt says version {project and project.group(1)}, "
               f"the newest entry of CHANGELOG.md {entry and entry.group(1)}")


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = list(problems(root))
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
