#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Translates files of test-corpus/translate/ and reject/ and checks the text that comes out.
#
#   check_translation.py [--build-dir DIR] [FILE ...]        default: all files of both folders
#
# translate/, directives anywhere in the file, one a line:
#   // CHECK: text        the output contains this text behind the match of the CHECK before (white space counts as one space)
#   // CHECK-NOT: text    the output contains this text nowhere
#   // FORM: kernel loop  the report gives this kernel this execution form
#   // DIAG: CU2103 @+1   the report has this diagnostic at that line (+1: relative to the directive)
#   // ARGS: --form=x     more options for cu2cpp;  // FLAGS: -DX  flags for the parser;  // EXIT: 1  exit code, if not 0
# Each output must also compile with -Wall -Wextra -Werror under g++ and clang++ (// WARNINGS: why  leaves out -Werror).
#
# reject/: `// EXPECT: text @+1` = an error with this text at that line; exit code 2, and nothing may be written.
import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "test-corpus"
DIRECTIVE = re.compile(r"//\s*(CHECK|CHECK-NOT|FORM|DIAG|ARGS|FLAGS|EXIT|WARNINGS|EXPECT)(?::\s*(.*?))?\s*$")


def one_space(text):
    return re.sub(r"\s+", " ", text).strip()


def read_directives(path):
    """(name, text, line number) of each directive, in order."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = DIRECTIVE.search(line)
        if match:
            found.append((match[1], match[2] or "", number))
    return found


def split_place(text, directive_line):
    """'message @+1' -> ('message', line); the line is None where no place is given."""
    match = re.match(r"(.*?)\s*@(\+?)(\d+)$", text)
    if not match:
        return text, None
    return match[1], int(match[3]) + (directive_line if match[2] else 0)


def words_of(directives, name):
    return [w for n, text, _ in directives if n == name for w in shlex.split(text)]


def run(command):
    return subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", stdin=subprocess.DEVNULL, timeout=120)


def translate(options, source, directives, folder):
    """Runs cu2cpp; returns the finished process, the path of the output and that of the report."""
    out, report = folder / (source.stem + ".cpp"), folder / "report.json"
    command = [options.build_dir / "bin" / "cu2cpp", source, "-o", out, "--report", report]
    command += words_of(directives, "ARGS")
    flags = words_of(directives, "FLAGS")
    return run(command + (["--"] + flags if flags else [])), out, report


def check_texts(directives, output):
    # Comments survive translation, so the directives are in the output too.
    lines = [line for line in output.splitlines() if not DIRECTIVE.search(line)]
    text, position = one_space("\n".join(lines)), 0
    for name, wanted, line in directives:
        wanted = one_space(wanted)
        if name == "CHECK":
            at = text.find(wanted, position)
            if at < 0:
                where = "in the output" if wanted not in text else "behind the match before it"
                yield f"line {line}: not found {where}: {wanted}"
            else:
                position = at + len(wanted)
        elif name == "CHECK-NOT" and wanted in text:
            yield f"line {line}: must not be in the output: {wanted}"


def check_report(directives, report):
    kernels, files = {}, report["files"]
    for kernel in (k for f in files for k in f["kernels"]):
        kernels.setdefault(kernel["name"].split("(")[0].split("<")[0].split("::")[-1], []).append(kernel.get("form"))
    for name, text, line in directives:
        if name == "FORM":
            kernel, form = text.split()[:2]
            if form not in kernels.get(kernel, []):
                yield f"line {line}: kernel {kernel} has form {kernels.get(kernel)}, not {form}"
        elif name == "DIAG":
            wanted, at = split_place(text, line)
            found = [(d.get("code"), d.get("line")) for f in files for d in f["diagnostics"]]
            if not any(i == wanted and (at is None or l == at) for i, l in found):
                yield f"line {line}: no diagnostic {wanted} at line {at}; reported: {found}"


def check_compiles(options, directives, output):
    flags = ["-std=c++17", "-fopenmp", "-fsyntax-only", "-Wall", "-Wextra", f"-I{ROOT / 'headers'}", "-I",
             output.parent]
    flags += [] if any(n == "WARNINGS" for n, _, _ in directives) else ["-Werror"]
    for compiler in options.compilers:
        result = run([compiler] + flags + words_of(directives, "FLAGS") + [output])
        if result.returncode != 0:
            yield f"{compiler} does not take the output:\n" + "\n".join(result.stderr.splitlines()[:20])


def check_translated(options, source, folder):
    directives = read_directives(source)
    process, out, report = translate(options, source, directives, folder)
    want = int((words_of(directives, "EXIT") or ["0"])[0])
    if process.returncode != want or not out.exists():
        yield f"cu2cpp: exit code {process.returncode}, not {want}\n{process.stderr[-3000:]}"
        return
    if not any(name in ("CHECK", "CHECK-NOT", "FORM", "DIAG") for name, _, _ in directives):
        yield "the file checks nothing"
    yield from check_texts(directives, out.read_text(encoding="utf-8"))
    yield from check_report(directives, json.loads(report.read_text(encoding="utf-8")))
    if want == 0:
        yield from check_compiles(options, directives, out)


def check_rejected(options, source, folder):
    directives = read_directives(source)
    process, out, _ = translate(options, source, directives, folder)
    if process.returncode != 2:
        yield f"exit code {process.returncode}, not 2"
    expected = [d for d in directives if d[0] == "EXPECT"]
    if not expected:
        yield "the file expects no error"
    for _, text, line in expected:
        wanted, at = split_place(text, line)
        place = f"{source.name}:{at}:" if at else source.name
        if not any(wanted in l and place in l for l in process.stderr.splitlines()):
            yield f"line {line}: no error '{wanted}' at {place}; got:\n{process.stderr[-2000:]}"
    left = [p.name for p in folder.rglob("*") if p.suffix != ".json"]
    if left:
        yield f"left behind: {', '.join(left)}"
    if "error" in process.stdout:
        yield "errors belong on stderr"


def main():
    parser = argparse.ArgumentParser(description="Checks the text of translated and rejected files.")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--build-dir", type=Path, default=ROOT / "build")
    options = parser.parse_args()
    options.build_dir = options.build_dir.resolve()
    options.compilers = [c for c in ("g++", "clang++-19") if shutil.which(c)] or ["c++"]
    files = options.files or sorted((CORPUS / "translate").rglob("*.cu")) + sorted((CORPUS / "reject").rglob("*.cu"))
    failed = 0
    for source in (f.resolve() for f in files):
        check = check_rejected if (CORPUS / "reject") in source.parents else check_translated
        with tempfile.TemporaryDirectory() as folder:
            failures = list(check(options, source, Path(folder)))
        print(f"{'FAILED' if failures else 'passed'} {source.relative_to(CORPUS)}", flush=True)
        for failure in failures:
            print("  " + failure.replace("\n", "\n    "))
        failed += bool(failures)
    print(f"{len(files) - failed} of {len(files)} files passed")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
