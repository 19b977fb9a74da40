#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds programs of test-corpus/ with cu2cc and compares what they print with the output of a real GPU, which lies beside
# each program as <name>.expected. A program is one .cu file, or a folder with a main.cu: all its .cu, .cpp and .c files.
#
#   run_corpus.py [options] [PROGRAM ...]      default: every program of run/, guide/ and known-bugs/
#
# One configuration = compiler x execution form x optimisation; each is built once and run with 1, 2 and 8 OpenMP threads.
# The form `readable` is `auto` translated for people to read and keep (without line directives), where fewer rewrites
# come before the form is chosen.
# `--matrix share` (CI) takes one configuration with cu2cc's default flags for every program: g++ for a third of them and
# clang++ for the others, `readable` for a third and `auto` for the others; and one more for an eighth of them. A hash of
# the program's name chooses, so that the whole matrix is covered by the corpus but not by each program.
# `--matrix full` takes all.
#
# Directives, one a line among the first 20 lines of the (main) file:
#   // ARGS: a b            arguments of the program
#   // FLAGS: -rdc=true     more flags for the compiler (nvcc's and cu2cc's alike)
#   // TOLERANCE: 1e-5      numbers may differ by this much, relative to the expected one; other text is exact
#   // UNORDERED            compare sorted lines (the order of device printf is undefined)
#   // EXIT: 3              exit code, if not 0
#   // FORMS: auto,fibers   only these forms (with a reason after it); default: all
#   // XFAIL: why           known bug: must fail; a pass is reported, so that the line gets removed
import argparse
import concurrent.futures
import difflib
import hashlib
import math
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "test-corpus"
FORMS = ["auto", "readable", "fibers", "fibers-all"]
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|\binf\b|\bnan\b)")

Config = namedtuple("Config", "compiler form opt")


class Program:
    """One program of the corpus: its sources, its directives and its expected output."""

    def __init__(self, main):
        self.main = Path(main).resolve()
        if self.main.is_dir():
            self.main = self.main / "main.cu"
        self.name = str(self.main.relative_to(CORPUS).with_suffix(""))
        if self.main.name == "main.cu":
            self.name = str(Path(self.name).parent)
            folder = self.main.parent
            self.sources = sorted(p for p in folder.rglob("*") if p.suffix in (".cu", ".cpp", ".c"))
        else:
            self.sources = [self.main]
        self.expected = self.main.with_suffix(".expected")
        self.want = None  # the expected output's text
        self.directives = {}
        with open(self.main, encoding="utf-8") as file:
            for line in [file.readline() for _ in range(20)]:
                match = re.match(r"// ([A-Z]+)(?::\s*(.*))?$", line.rstrip())
                if match:
                    self.directives[match[1]] = match[2] or ""

    def words(self, directive):
        return shlex.split(self.directives.get(directive, ""))


def find_programs():
    """Yields the main file of every program under run/, guide/ and known-bugs/."""
    for top in ("guide", "run", "known-bugs"):
        files = sorted((CORPUS / top).rglob("*.cu"))
        folders = {f.parent for f in files if f.name == "main.cu"}
        for file in files:
            if file.name == "main.cu" or not any(folder in file.parents for folder in folders):
                yield file


def find_compilers(names):
    """The compilers of `names` (a comma list) that exist; the first choice per family when no list is given."""
    if names:
        chosen = names.split(",")
        missing = [c for c in chosen if not shutil.which(c)]
        if missing:
            sys.exit(f"run_corpus: compiler not found: {', '.join(missing)}")
        return chosen
    families = (["g++"], ["clang++-19", "clang++-20", "clang++-18", "clang++-17", "clang++-16", "clang++"])
    found = [next((c for c in family if has_openmp(c)), None) for family in families]
    return [c for c in found if c]


def has_openmp(compiler):
    """Whether the compiler is there with its OpenMP runtime: a bare clang++ often comes without one."""
    if not shutil.which(compiler):
        return False
    # Asked instead of built: this runs for each program. A compiler that doesn't find a library prints its bare name.
    library = "libomp.so" if "clang" in compiler else "libgomp.so"
    code, out, _ = run([compiler, f"-print-file-name={library}"], 60)
    return code == 0 and Path(out.strip()).is_absolute()


def choose_configs(program, options):
    """The configurations this program is built in (see the file's comment)."""
    named = program.words("FORMS")[:1]
    forms = [f for f in options.forms if not named or f in named[0].split(",")]
    if not forms:
        sys.exit(f"{program.name} runs in none of the forms that were asked for, but in {named[0]}")
    pick = int(hashlib.sha256(program.name.encode()).hexdigest(), 16)
    pick, third = divmod(pick, 3)
    compiler = options.compilers[-1 if third else 0]
    pick, third = divmod(pick, 3)
    form = forms[0] if third or "readable" not in forms else "readable"
    first = Config(compiler, form, options.opt)
    rest = [Config(c, f, options.opt or "-O1") for c in options.compilers for f in forms]
    rest = [c for c in rest if (c.compiler, c.form) != (first.compiler, first.form)]
    if options.matrix == "full" or not rest:
        return [first] + rest
    pick, eighth = divmod(pick, 8)
    return [first] if eighth else [first, rest[pick % len(rest)]]


def run(command, timeout, **kwargs):
    """Runs a command in a process group of its own; returns (exit code, stdout, stderr). 124 = it ran too long."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, start_new_session=True, **kwargs) as process:
        try:
            out, err = process.communicate(timeout=timeout)
            return process.returncode, out, err
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            return 124, out, err + f"\n(stopped after {timeout} s)"


def numbers_agree(want, got, tolerance):
    """Whether two lines have the same text and numbers that agree within the relative tolerance."""
    if NUMBER.sub("#", want) != NUMBER.sub("#", got):
        return False
    for a, b in zip(NUMBER.findall(want), NUMBER.findall(got)):
        x, y = float(a), float(b)
        if a == b or (math.isnan(x) and math.isnan(y)):
            continue
        if not abs(x - y) <= tolerance * max(abs(x), 1e-30):
            return False
    return True


def compare(want, got, program):
    """Returns '' if the outputs agree, else a diff."""
    want_lines, got_lines = want.splitlines(), got.splitlines()
    if "UNORDERED" in program.directives:
        want_lines.sort()
        got_lines.sort()
    tolerance = float(program.directives.get("TOLERANCE", "0").split()[0])
    if len(want_lines) == len(got_lines) and all(
            w == g or (tolerance and numbers_agree(w, g, tolerance)) for w, g in zip(want_lines, got_lines)):
        return ""
    return "\n".join(list(difflib.unified_diff(want_lines, got_lines, "GPU", "CPU", lineterm="", n=1))[:40])


def test_config(program, config, options):
    """Builds the program in one configuration and runs it with each thread count; yields failures as text."""
    label = f"{config.compiler} {config.form} {config.opt or 'default flags'}"
    folder = options.build_dir / "corpus" / program.name / f"{config.compiler}-{config.form}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    binary = folder / "program"
    form = "auto" if config.form == "readable" else config.form
    command = [str(options.cu2cc), f"--cu2cpp-form={form}", "-ccbin", config.compiler, "-std=c++17"]
    command += ["--cu2cpp-line-directives=off"] if config.form == "readable" else []
    command += [config.opt] if config.opt else []
    command += program.words("FLAGS") + [str(s) for s in program.sources] + ["-o", str(binary)]
    code, out, err = run(command, options.build_timeout, cwd=folder)
    if code != 0 or not binary.exists():
        lines = (out + err).strip().splitlines()
        yield f"[{label}] build failed (exit {code}): {shlex.join(command)}\n" + "\n".join(lines[:40])
        return
    want_code = int(program.directives.get("EXIT", "0").split()[0])
    for threads in options.threads:
        env = dict(os.environ, OMP_NUM_THREADS=str(threads))
        command = [str(binary)] + program.words("ARGS")
        code, out, err = run(command, options.timeout, cwd=folder, env=env)
        again = f"OMP_NUM_THREADS={threads} {shlex.join(command)}"
        if code != want_code:
            tail = "\n".join((out + err).strip().splitlines()[-15:])
            yield f"[{label}, {threads} threads] exit code {code}, not {want_code}: {again}\n{tail}"
            continue
        if program.want is None:  # --agree: the first run is what the others must agree with
            program.want = out
        difference = compare(program.want, out, program)
        if difference:
            yield f"[{label}, {threads} threads] wrong output: {again}\n{difference}"
    if not options.keep:
        shutil.rmtree(folder, ignore_errors=True)


def test_program(program, options):
    """Runs one program's share of the matrix; returns (failures, seconds)."""
    start = time.monotonic()
    if program.expected.exists():
        program.want = program.expected.read_text(encoding="utf-8", errors="replace")
    elif not options.agree or "XFAIL" in program.directives:
        return [f"no GPU output ({program.expected.name} is missing: see scripts/make_expected.sh)"], 0
    failures = []
    for config in choose_configs(program, options):
        failures += test_config(program, config, options)
    if "XFAIL" in program.directives:
        reason = program.directives["XFAIL"]
        failures = [] if failures else [f"passes now; remove '// XFAIL: {reason}' and move it to run/"]
    return failures, time.monotonic() - start


def parse_options():
    parser = argparse.ArgumentParser(description="Runs corpus programs and compares them with GPU output.")
    parser.add_argument("programs", nargs="*", help="paths of .cu files or program folders")
    parser.add_argument("--build-dir", type=Path, default=ROOT / "build", help="holds bin/cu2cc; work files go here")
    parser.add_argument("--compiler", dest="compilers", help="comma list; default: g++ and the first clang++ that links OpenMP")
    parser.add_argument("--forms", help=f"comma list; default: {','.join(FORMS)}")
    parser.add_argument("--threads", default="1,2,8", help="comma list of OMP_NUM_THREADS; default: 1,2,8")
    parser.add_argument("--matrix", choices=["share", "full"], default="share")
    parser.add_argument("--full", dest="matrix", action="store_const", const="full", help="same as --matrix full")
    parser.add_argument("--share", metavar="K/N", help="only programs whose name hashes to part K of N")
    parser.add_argument("--opt", default="", help="optimisation flag of every configuration, such as -O0")
    parser.add_argument("--filter", default="", help="only programs whose name contains this")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=60, help="seconds for one run")
    parser.add_argument("--build-timeout", type=int, default=300, help="seconds for one build")
    parser.add_argument("--agree", action="store_true",
                        help="programs without GPU output: only exit codes, and all configurations must agree")
    parser.add_argument("--keep", action="store_true", help="keep the programs that were built")
    options = parser.parse_args()
    options.compilers = find_compilers(options.compilers)
    options.forms = options.forms.split(",") if options.forms else FORMS
    options.threads = [int(t) for t in options.threads.split(",")]
    options.build_dir = options.build_dir.resolve()
    options.cu2cc = options.build_dir / "bin" / "cu2cc"
    if not options.compilers:
        sys.exit("run_corpus: no C++ compiler found")
    if not options.cu2cc.exists():
        sys.exit(f"run_corpus: {options.cu2cc} is missing: build first, or give --build-dir")
    return options


def main():
    options = parse_options()
    programs = [Program(p) for p in (options.programs or find_programs())]
    programs = [p for p in programs if options.filter in p.name]
    if options.share:
        part, parts = (int(x) for x in options.share.split("/"))
        programs = [p for p in programs
                    if int(hashlib.sha256(b"share " + p.name.encode()).hexdigest(), 16) % parts == part % parts]
    if not programs:
        sys.exit("run_corpus: no program matches")
    failed = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = {pool.submit(test_program, p, options): p for p in programs}
        for count, future in enumerate(concurrent.futures.as_completed(results), 1):
            program = results[future]
            failures, seconds = future.result()
            verdict = "FAILED" if failures else "passed"
            print(f"[{count}/{len(programs)}] {verdict} {program.name} ({seconds:.1f} s)", flush=True)
            for failure in failures:
                print("  " + failure.replace("\n", "\n    "), flush=True)
            if failures:
                failed.append(program.name)
    print(f"{len(programs) - len(failed)} of {len(programs)} programs passed")
    if failed:
        print("failed: " + " ".join(sorted(failed)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
