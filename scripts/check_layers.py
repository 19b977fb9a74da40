#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that includes point one way only: a stage of the translator never includes a later one, a layer of the runtime
never a higher one, and the headers never the runtime. Exit code 1 and one line for each include that breaks a rule.

usage: check_layers.py [root]
"""
import pathlib
import re
import sys

# Each folder may include itself and the folders listed. `report` is diagnostics, open to every stage.
ALLOWED = {
    "translator/parse": {"report"},
    "translator/analyse": {"parse", "report"},
    "translator/ptx": {"parse", "analyse", "report"},
    "translator/plan": {"parse", "analyse", "ptx", "report"},
    "translator/apply": {"parse", "analyse", "plan", "report"},
    "translator/report": set(),
    "translator/project": {"parse", "analyse", "plan", "apply", "report", "cu2cc"},
    "translator/cu2cc": set(),
    "runtime-omp/exec": set(),
    "runtime-omp/core": {"exec"},
    "runtime-omp/api": {"core", "exec"},
    "runtime-omp/driver": {"api", "core", "exec"},
    "runtime-omp/blas": set(),
    "headers": set(),
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">]+)[">]', re.M)
SOURCES = {".h", ".hpp", ".cpp", ".c", ".def"}


def layers_below(root, folder):
    """The names under which other layers of the same part can be included: `parse/x.h`, `../parse/x.h`."""
    part = root / folder.split("/")[0]
    return {p.name for p in part.iterdir() if p.is_dir()} if part.is_dir() else set()


def broken_includes(root):
    for folder, allowed in ALLOWED.items():
        own = pathlib.PurePath(folder).name
        known = layers_below(root, folder) if folder != "headers" else set()
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCES or not path.is_file() or "tests" in path.parts:
                continue
            relative = path.relative_to(root)
            text = path.read_text(encoding="utf-8", errors="replace")
            for match in INCLUDE.finditer(text):
                name = match.group(1)
                line = text[: match.start()].count("\n") + 1
                parts = [p for p in name.split("/") if p not in ("..", ".")]
                where = f"{relative}:{line}: includes {name}"
                if folder == "headers":
                    beside = (path.parent / name).exists() or (root / "headers" / name).exists()
                    if "runtime-omp" in name or (parts[0] in ("exec", "core", "api") and not beside):
                        yield f"{where}, but headers know nothing of the runtime's inside"
                    continue
                if len(parts) < 2 or parts[0] not in known or parts[0] == own:
                    continue
                if parts[0] not in allowed:
                    yield f"{where}, but {folder} may include only: {', '.join(sorted(allowed)) or 'itself'}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    missing = [folder for folder in ALLOWED if not (root / folder).is_dir()]
    if missing:
        print(f"check_layers: no such folder: {', '.join(missing)}", file=sys.stderr)
        return 2
    problems = list(broken_includes(root))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
