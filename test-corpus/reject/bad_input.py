#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Bad input on the command lines of cu2cpp and cu2cc: one clear line on stderr that names the file, exit code 2, and no
# file left behind.
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

GOOD = "__global__ void k(int* x) { *x = 1; }\nint main() { k<<<1, 1>>>(nullptr); }\n"


def cases(folder):
    """(tool, arguments, what the message must name, whether one line must do)."""
    (folder / "good.cu").write_text(GOOD)
    (folder / "good.cxx").write_text(GOOD)
    (folder / "bad.cu").write_text(GOOD.replace("*x = 1;", "*x = nosuch;"))
    (folder / "binary.cu").write_bytes(b"\x7fELF\x02\x01\x00\x00\xff\xfe\x00\x80" * 200)
    (folder / "dir.cu").mkdir()
    (folder / "file").write_text("")
    (folder / "include.cu").write_text('#include "nowhere.h"\nint main() {}\n')
    (folder / "utf16.cu").write_bytes(GOOD.encode("utf-16"))
    (folder / "bad.ptx").write_text(".version 8.0\n.target sm_70\n.visible .entry k() {\n\tnosuch.u32 1;\n}\n")
    return [
        ("cu2cpp", ["bad.ptx", "-o", "out.cpp"], "bad.ptx:4:", False),
        ("cu2cpp", ["bad.ptx", "-o", "out.cpp"], "[CU1016]", False),
        ("cu2cpp", ["missing.cu"], "[CU1002]", True),
        ("cu2cpp", ["good.cu", "missing.cu", "-o", "out"], "missing.cu", True),
        ("cu2cpp", ["--no-such-flag", "good.cu"], "no-such-flag", True),
        ("cu2cpp", [], "input", True),
        ("cu2cpp", ["good.cu", "-o", "file/out.cpp"], "[CU1003]", True),
        ("cu2cpp", ["good.cu", "-o", "no/such/dir/"], "no/such/dir", None),
        ("cu2cpp", ["dir.cu"], "dir.cu", True),
        ("cu2cpp", ["binary.cu"], "[CU1004]", True),
        ("cu2cpp", ["bad.cu"], "bad.cu:1:", False),
        ("cu2cpp", ["bad.cu"], "[CU1001]", False),
        ("cu2cpp", ["good.cu", "good.cxx", "-o", "out"], "[CU1007]", True),
        ("cu2cpp", ["good.cu", "bad.cu", "-o", "out"], "bad.cu:1:", False),
        ("cu2cpp", ["good.cu", "--report", "file/report.json"], "report.json", True),
        ("cu2cpp", ["good.cu", "-o", "good.cu"], "[CU1003]", True),
        ("cu2cpp", ["good.cu", "-o", "out.cpp", "--report", "good.cu"], "[CU1003]", True),
        ("cu2cpp", ["good.cu", "-o"], "-o", True),
        ("cu2cpp", ["good.cu", "--form=nonsense"], "nonsense", True),
        ("cu2cpp", ["include.cu", "-o", "out.cpp"], "include.cu:1:", False),
        ("cu2cpp", ["utf16.cu"], "[CU1004]", True),
        ("cu2cpp", [""], "[CU1002]", True),
        ("cu2cc", ["good.cu", "-o", "dir.cu"], "dir.cu", True),
        ("cu2cc", ["good.cu", "-o", "nowhere/prog"], "nowhere/prog", True),
        ("cu2cc", ["-c", "good.cu", "-o", "file/good.o"], "file/good.o", True),
        ("cu2cc", ["good.cu", "-o", "good.cu"], "good.cu", True),
        ("cu2cc", ["good.cu", "-o"], "-o", True),
        ("cu2cc", ["-std=c++99", "good.cu", "-o", "prog"], "c++99", True),
        ("cu2cc", ["missing.cu", "-o", "prog"], "missing.cu", True),
        ("cu2cc", ["--no-such-flag", "good.cu", "-o", "prog"], "no-such-flag", True),
        ("cu2cc", [], "input", True),
        ("cu2cc", ["dir.cu", "-o", "prog"], "dir.cu", True),
        ("cu2cc", ["binary.cu", "-o", "prog"], "binary.cu", True),
        ("cu2cc", ["bad.cu", "-o", "prog"], "bad.cu:1:", False),
    ]


def run(tool, arguments, folder):
    """Runs the tool; one that does not end gets exit code 124."""
    try:
        return subprocess.run([str(tool)] + arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=20)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(arguments, 124, "", "(does not end)")


def check(tool, arguments, named, one_line, folder):
    before = sorted(p.relative_to(folder) for p in folder.rglob("*"))
    process = run(tool, arguments, folder)
    after = sorted(p.relative_to(folder) for p in folder.rglob("*"))
    if one_line is None and process.returncode == 0:  # making the folder is as good as refusing
        for path in set(after) - set(before):
            target = folder / path
            if target.is_file():
                target.unlink()
        return
    if process.returncode != 2:
        yield f"exit code {process.returncode}, not 2"
    if before != after:
        yield f"left behind: {sorted(str(p) for p in set(after) - set(before))}"
    if named not in process.stderr:
        yield f"the message does not name '{named}'"
    if one_line and len(process.stderr.strip().splitlines()) != 1:
        yield "not one line"
    if process.stdout.strip():
        yield "text on stdout"
    if len(process.stderr) > 4000:
        yield "a flood of text"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build-dir", type=Path, default=Path("build"))
    binaries = parser.parse_args().build_dir.resolve() / "bin"
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for tool, arguments, named, one_line in cases(folder):
            failures = list(check(binaries / tool, arguments, named, one_line, folder))
            print(f"{'FAILED' if failures else 'passed'} {tool} {' '.join(arguments)}")
            for failure in failures:
                print(f"  {failure}")
            if failures:
                again = run(binaries / tool, arguments, folder)
                print("  stderr: " + again.stderr[:600].replace("\n", "\n    "))
            failed += bool(failures)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
