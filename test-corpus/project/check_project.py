#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ports the project beside this file as a user would: records its build, translates it, compiles the result, changes
files on either side, and translates again. Exit code 1 and a line for each thing that is not as it should be.

usage: check_project.py --build-dir DIR
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Checker:
    def __init__(self, build, place):
        self.build, self.place, self.failed, self.checked = build, place, 0, 0
        self.tool = str(build / "bin" / "cu2cpp")
        self.source = place / "source"
        self.out = place / "ported"

    def run(self, *words, want=0, cwd=None):
        result = subprocess.run([str(w) for w in words], cwd=cwd or self.source, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, timeout=600, stdin=subprocess.DEVNULL)
        self.that(result.returncode == want,
                  f"{' '.join(map(str, words))}: exit code {result.returncode}, not {want}\n{result.stdout[-3000:]}")
        return result.stdout

    def translate(self, *more, want=0):
        return self.run(self.tool, "-p", ".", "--in-root", ".", "--out-root", self.out, *more, want=want)

    def that(self, holds, otherwise):
        self.checked += 1
        if not holds:
            self.failed += 1
            print("FAILED " + otherwise, flush=True)

    def holds(self, path, *texts):
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        for wanted in texts:
            self.that(wanted in text, f"{path.relative_to(self.place)} does not contain: {wanted}\n{text}")

    def stamp(self):
        return {p: p.stat().st_mtime_ns for p in self.out.rglob("*") if p.is_file() and ".cu2cpp" not in p.parts}


def record(c):
    out = c.run(c.tool, "record", "--", "make", "NVCC=cu2cc")
    c.that("5 compilations recorded" in out, out)
    entries = json.loads((c.source / "compile_commands.json").read_text())
    c.that(sum(e["file"].endswith("scale.cu") for e in entries) == 2, "scale.cu is compiled twice")
    c.that(all("-gencode" in e["arguments"] for e in entries if e["file"].endswith(".cu")), "flags are kept")
    # A makefile that takes our toolkit for NVIDIA's names the compiler by its path.
    c.run("make", "clean")
    by_path = c.build / "lib" / "cu2cpp" / "toolkit" / "bin" / "nvcc"
    out = c.run(c.tool, "record", "-o", c.place / "by_path.json", "--", "make", f"NVCC={by_path}")
    c.that("5 compilations recorded, 4 of CUDA" in out, out)


def dry_run(c):
    out = c.translate("--dry-run")
    c.that(not c.out.exists(), "--dry-run writes nothing")
    c.that("would create" in out and "src/sums.cpp" in out, out)
    out = c.translate("--diff")
    c.that(not c.out.exists(), "--diff writes nothing")
    c.that(re.search(r"^-__global__ void neighbours", out, re.M) is not None, out)


def translate(c):
    out = c.translate("--report", c.place / "report.json")
    for name in ("src/sums.cpp", "src/scale.cpp", "src/tools/pairs.cpp", "src/main.cpp", "include/blocks.hpp",
                 "include/interface.hpp", "include/index.h", "include/neighbours.hpp"):
        c.that((c.out / name).exists(), f"{name} is there")
    c.that(not (c.out / "src/scale.variant2.cpp").exists(), "two sets of macros, one text")
    # One header for all users: those that have no instance of a template agree with those that have, and text that one
    # user's #ifdef hides is translated for the other.
    c.holds(c.out / "include/blocks.hpp", "void sumBlocks(", "void multiply(", "void reverse(", "part[threadIdx.x]")
    c.that(c.out.joinpath("include/blocks.hpp").read_text().count("void multiply(") == 1, "each kernel once")
    c.that("__global__" not in (c.out / "include/blocks.hpp").read_text(), "no qualifier is left")
    # The other header cannot be one: each user has its own, and the report says so.
    versions = list((c.out / "include").glob("neighbours.*hpp"))
    c.that(len(versions) == 2, f"two versions of neighbours.cuh: {versions}")
    report = json.loads((c.place / "report.json").read_text())
    codes = [d["code"] for f in report["files"] for d in f["diagnostics"]]
    c.that(codes.count("CU1011") == 1, f"CU1011 once: {codes}")
    # Includes name the files where they are now, in the way they did.
    c.holds(c.out / "src/sums.cpp", '#include "blocks.hpp"', "#include <interface.hpp>")
    c.holds(c.out / "src/main.cpp", '#include "interface.hpp"', "cudaMalloc(&device")
    c.that("2 headers shared" in out or "3 headers shared" in out, out)


def build(c):
    commands = json.loads((c.out / "compile_commands.json").read_text())
    c.that(len(commands) == 4, f"{len(commands)} commands, one for each output")
    flags = {Path(command["file"]).name: command["arguments"] for command in commands}
    c.that("-fopenmp" in flags["main.cpp"], f"host code keeps OpenMP: {flags['main.cpp']}")
    c.that(flags["sums.cpp"].count("-std=c++17") == 1, f"no flag twice: {flags['sums.cpp']}")
    cu2cc, objects = c.build / "bin" / "cu2cc", []
    makefile = {"sums": [""], "scale": ["-DFACTOR=2 -DNAME=scaleBy2", "-DFACTOR=3 -DNAME=scaleBy3 -DBACKWARDS"],
                "pairs": [""], "main": [""]}
    for command in commands:
        words = command["arguments"]
        for n, flags in enumerate(makefile[Path(command["file"]).stem]):
            kept = [w for w in words[:-4] if not (flags and w.startswith(("-DFACTOR", "-DNAME", "-DBACKWARDS")))]
            objects.append(c.place / f"{Path(command['file']).stem}{n}.o")
            c.run(*kept, *flags.split(), "-c", command["file"], "-o", objects[-1], cwd=command["directory"])
    c.run(cu2cc, *objects, "-o", c.place / "program")
    c.that("PASS" in c.run(c.place / "program"), "the ported program passes")


def again(c):
    before = c.stamp()
    out = c.translate()
    c.that("Up to date" in out, out)
    c.that(c.stamp() == before, "an unchanged run writes nothing")
    # A change of one source concerns that source.
    sums = c.source / "src" / "sums.cu"
    sums.write_text(sums.read_text().replace("sum = 0;", "sum = 0; // here"))
    out = c.translate()
    c.that("1 translated, 3 as before" in out and "Wrote 1 file" in out, out)
    c.holds(c.out / "src/sums.cpp", "sum = 0; // here")
    # A change of a header concerns its users.
    index = c.source / "include" / "index.h"
    index.write_text(index.read_text() + "// end\n")
    out = c.translate()
    c.that("3 translated, 1 as before" in out, out)
    c.holds(c.out / "include/index.h", "// end")
    # A change of host code is seen too.
    main = c.source / "src" / "main.cpp"
    main.write_text(main.read_text() + "// host\n")
    c.translate()
    c.holds(c.out / "src/main.cpp", "// host")


def user_edits(c):
    output, source = c.out / "src" / "scale.cpp", c.source / "src" / "scale.cu"
    output.write_text(output.read_text() + "// mine\n")
    c.translate()
    c.holds(output, "// mine")
    # Changes on both sides: mine stays, the new one lies beside it, and the exit code says so.
    source.write_text(source.read_text() + "// theirs\n")
    out = c.translate(want=1)
    c.that("CU1013" in out and "1 conflict" in out, out)
    c.holds(output, "// mine")
    new = output.with_name("scale.cpp.cu2cpp-new")
    c.holds(new, "// theirs")
    c.translate(want=1)  # until it is solved
    output.write_text(output.read_text() + "// theirs\n")
    new.unlink()
    c.translate()
    c.holds(output, "// mine\n// theirs")
    source.write_text(source.read_text() + "// more\n")
    c.translate("--overwrite")
    c.that("// mine" not in output.read_text(), "--overwrite writes over")
    # A file that cu2cpp never wrote is nobody's to replace.
    other = c.place / "other"
    (other / "src").mkdir(parents=True)
    (other / "src" / "sums.cpp").write_text("int mine;\n")
    c.out = other
    c.that("CU1013" in c.translate(want=1), "a foreign file is a conflict")
    c.holds(other / "src" / "sums.cpp", "int mine;")


def rules(c):
    c.out = c.place / "renamed"
    c.translate("--extension", ".cu=.cc,.cuh=.h")
    c.that((c.out / "src/sums.cc").exists() and (c.out / "include/blocks.h").exists(), "extensions by a rule")
    c.holds(c.out / "src/sums.cc", '#include "blocks.h"')
    c.run(c.tool, "-p", ".", "--extension", "cu", want=2)
    # A failing source fails alone.
    (c.source / "src" / "sums.cu").write_text("this is no C++\n")
    out = c.translate("--extension", ".cu=.cc,.cuh=.h", want=2)
    c.that("1 source failed" in out and "CU1001" in out, out)
    c.holds(c.out / "src/sums.cc", "int sumOf")
    out = c.run(c.tool, "-p", c.place, want=2)
    c.that("CU1009" in out, out)
    commands = c.source / "compile_commands.json"
    entries = json.loads(commands.read_text())
    entries[0]["arguments"] = ["nvcc", "-c", "other.cu"]
    commands.write_text(json.dumps(entries))
    c.that("CU1010" in c.translate("--extension", ".cu=.cc,.cuh=.h", want=1), "an entry that does not fit its file")


def failing_sources(c):
    # What does not compile is not tried again before something that it read, or looked for, changes; what the compiler
    # said is said again.
    tree = c.place / "failing"
    (tree / "first").mkdir(parents=True)
    (tree / "second").mkdir()
    (tree / "second" / "size.h").write_text("constexpr int size = 4;\n")
    (tree / "part.h").write_text("int broken(\n")
    (tree / "lacks.cu").write_text('#include "made/later.h"\n__global__ void k(int* p) { *p = later; }\n')
    (tree / "broken.cu").write_text('#include "part.h"\n__global__ void b(int* p) { *p = 1; }\n')
    (tree / "good.cu").write_text('#include <size.h>\n#if __has_include("switch.h")\n#include "switch.h"\n#endif\n'
                                  "__global__ void g(int* p) { *p = size; }\n")

    def again(*more, want=2):
        return c.run(c.tool, "--in-root", tree, "--out-root", c.place / "failing_out", *more, "--",
                     f"-I{tree}/first", f"-I{tree}/second", want=want)

    first = again()
    c.that("3 translated, 0 as before" in first and "2 sources failed" in first, first)
    for unchanged in range(2):
        out = again()
        c.that("0 translated, 3 as before" in out and "2 sources failed" in out, out)
        for line in first.splitlines():
            if "error:" in line or "CU1001" in line:
                c.that(line in out, f"run {unchanged + 2} does not say: {line}")
        c.that("'made/later.h' file not found" in out and out.count("CU1001") == 2, out)
    c.that("3 translated" in again("--retranslate"), "--retranslate translates all")
    # A header appears, in a directory that was not there; one that another finds now hides another one.
    (tree / "made").mkdir()
    (tree / "made" / "later.h").write_text("constexpr int later = 3;\n")
    out = again()
    c.that("1 translated, 2 as before" in out and "1 source failed" in out, out)
    (tree / "first" / "size.h").write_text("constexpr int size = 8;\n")
    c.that("1 translated, 2 as before" in again(), "a header that hides another one is seen")
    (tree / "switch.h").write_text("#define SWITCHED 1\n")
    c.that("1 translated, 2 as before" in again(), "a header that __has_include asked for is seen")
    (tree / "part.h").write_text("int whole();\n")
    out = again(want=0)
    c.that("1 translated, 2 as before" in out and "failed" not in out, out)
    c.that("Up to date" in again(want=0), "and now all is known")


def variants(c):
    # The same source with macros that need different texts.
    tree = c.place / "variants"
    tree.mkdir()
    (tree / "a.cu").write_text("__global__ void k(int* p) { p[threadIdx.x] = 1; WAIT; p[0] = 2; }\n")
    (tree / "compile_commands.json").write_text(json.dumps([
        {"directory": str(tree), "file": "a.cu", "arguments": ["nvcc", "-c", "a.cu", f"-DWAIT={w}"]}
        for w in ("__syncthreads()", "(void)0")]))
    out = c.run(c.tool, "-p", tree, "--out-root", tree / "out", want=1)
    c.that("CU1012" in out and (tree / "out" / "a.variant2.cpp").exists(), out)
    out = c.run(c.tool, "-p", tree, "--out-root", tree / "out", "--suppress=CU1012", "--overwrite")
    c.that("CU1012" not in out, out)
    c.run(c.tool, "-p", tree, "--out-root", tree / "out", "--fail-on=CU1012", want=2)


def analyze(c):
    (c.source / "src" / "jpeg.cu").write_text(
        '#include <nvjpeg.h>\n__global__ void scale(float* p) { p[threadIdx.x] *= 2; }\n'
        'void run(nvjpegHandle_t h, float* p) { nvjpegDecode(h, p); cudaMemGetInfo(0, 0); }\n')
    out = c.run(c.tool, "--analyze", "--in-root", "src", "--report", c.place / "a.json", "--html", c.place / "a.html",
                "--sarif", c.place / "a.sarif", "--", "-Iinclude", "-DFACTOR=2", "-DNAME=scaleBy2", want=2)
    c.that("nvjpegDecode" in out and "nvJPEG (not there yet)" in out, out)
    report = json.loads((c.place / "a.json").read_text())
    files = {f["input"]: f for f in report["files"]}
    c.that(files["scale.cu"]["kernels"] == [] and not files["scale.cu"]["failed"], str(files["scale.cu"]))
    c.that(files["jpeg.cu"]["failed"] and "nvjpeg.h" in files["jpeg.cu"]["error"], str(files["jpeg.cu"]))
    c.that(files["jpeg.cu"]["kernels"][0]["form"] == "?", "kernels of files that do not compile are counted")
    states = {n["name"]: n["state"] for n in files["jpeg.cu"]["names"]}
    c.that(states == {"nvjpegDecode": "missing", "cudaMemGetInfo": "caveat"}, str(states))
    c.that(report["total"]["portMinutes"] > 0, "there is something to do")
    codes = {d["code"] for f in report["files"] for d in f["diagnostics"]}
    c.that({"CU4001", "CU4002", "CU2103"} <= codes, f"CU4001, CU4002 and CU2103: {codes}")
    page = (c.place / "a.html").read_text()
    c.that("<script" not in page and "http" not in page, "the page needs no other file")
    links, anchors = set(re.findall(r'href="#([^"]+)"', page)), set(re.findall(r'id="([^"]+)"', page))
    c.that(links and links <= anchors, f"links without a target: {sorted(links - anchors)[:5]}")
    sarif = json.loads((c.place / "a.sarif").read_text())
    c.that(sarif["version"] == "2.1.0" and sarif["runs"][0]["results"], "results in SARIF")


def stopped_analysis(c):
    # Ctrl-C ends the analysis, not what it has found by then. The second source waits for a pipe.
    tree = c.place / "stopped"
    tree.mkdir()
    (tree / "first.cu").write_text("__global__ void known(int* p) { *p = 1; }\n")
    (tree / "second.cu").write_text('#include "pipe.h"\n__global__ void unknown(int* p) { *p = 1; }\n')
    os.mkfifo(tree / "pipe.h")
    analysis = subprocess.Popen([c.tool, "--analyze", "-j1", "--in-root", tree, "--report", c.place / "stopped.json"],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    pipe = None
    for _ in range(600):
        try:
            pipe = os.open(tree / "pipe.h", os.O_WRONLY | os.O_NONBLOCK)
            break
        except OSError:  # nobody reads it yet
            time.sleep(0.1)
    c.that(pipe is not None, "the second source is read")
    analysis.send_signal(signal.SIGINT)
    out, _ = analysis.communicate(timeout=60)
    c.that(analysis.returncode == 2 and "1 source was not read" in out and "first.cu" in out, out)
    total = json.loads((c.place / "stopped.json").read_text())["total"]
    c.that(total["kernels"] == 1 and total["unread"] == 1, str(total))


def broken_databases(c):
    place = c.place / "broken"
    place.mkdir()
    for text, code in (("{", "CU1009"), ("[3]", "CU1009"), ('[{"file": 5}]', "CU1009"),
                       ('[{"file": "a.cu", "arguments": [1]}]', "CU1009"), ('[{"file": "a.cu", "command": 3}]', "CU1009"),
                       ('[{"directory": "/nowhere", "file": "a.cu", "arguments": ["nvcc", "-c", "a.cu"]}]', "CU1010")):
        (place / "compile_commands.json").write_text(text)
        out = c.run(c.tool, "-p", place, "--out-root", place / "out", want=2)
        c.that(code in out, f"{text}: {out}")
    out = c.run(c.tool, "--analyze", "missing.cu", want=2)
    c.that("CU1002" in out or "missing.cu" in out, out)


def response_files(c):
    # CMake's makefiles keep include directories in a file, named from where the command runs.
    tree = c.place / "response"
    (tree / "build").mkdir(parents=True)
    (tree / "headers").mkdir()
    (tree / "headers" / "size.h").write_text("constexpr int size = 4;\n")
    (tree / "a.cu").write_text('#include "size.h"\n__global__ void k(int* p) { *p = size; }\n')
    (tree / "build" / "includes.rsp").write_text(f"-I{tree}/headers\n")
    (tree / "build" / "compile_commands.json").write_text(json.dumps([
        {"directory": str(tree / "build"), "file": str(tree / "a.cu"),
         "command": f"nvcc --options-file includes.rsp -x cu -c {tree}/a.cu -o a.o"}]))
    out = c.run(c.tool, "-p", "build", "--in-root", ".", "--out-root", c.place / "response_out", cwd=tree)
    c.that("1 translated" in out and (c.place / "response_out" / "a.cpp").exists(), out)


def kernels_in_own_files(c):
    # A .cu file that another one includes is compiled there and not by itself.
    tree = c.place / "parts"
    tree.mkdir()
    (tree / "main.cu").write_text('typedef float real;\n#include "kernel.cu"\nint main() { scale<<<1, 32>>>(nullptr); }\n')
    (tree / "kernel.cu").write_text("__global__ void scale(real* p) { if (p) p[threadIdx.x] *= 2; }\n")
    out = c.run(c.tool, "--analyze", "--in-root", tree)
    c.that("does not compile" not in out, out)
    c.run(c.tool, "--in-root", tree, "--out-root", tree / "out")
    names = sorted(p.name for p in (tree / "out").glob("*.?pp"))
    c.that(names == ["kernel.cu.hpp", "main.cpp"], str(names))


def relative_places(c):
    # Roots are named from where the command runs; the second run knows its own output again.
    tree = c.place / "relative"
    (tree / "src").mkdir(parents=True)
    (tree / "src" / "a.cu").write_text("__global__ void k(int* p) { *p = 1; }\n")
    for wanted in ("1 translated", "Up to date"):
        out = c.run(c.tool, "--in-root", "src", "--out-root", "ported", cwd=tree)
        c.that(wanted in out and (tree / "ported" / "a.cpp").exists(), out)


def crash(c):
    # A source that the parse cannot survive ends its own process and no other.
    tree = c.place / "crash"
    tree.mkdir()
    (tree / "deep.cu").write_text("int x = " + "(" * 400000 + "1" + ")" * 400000 + ";\n")
    (tree / "good.cu").write_text("__global__ void k(int* p) { *p = 1; }\n")
    out = c.run(c.tool, "--in-root", tree, "--out-root", tree / "out", "--", "-fbracket-depth=1000000", want=2)
    c.that("CU1014" in out and (tree / "out" / "good.cpp").exists(), out[-2000:])


def doctor(c):
    result = subprocess.run([c.tool, "doctor"], stdout=subprocess.PIPE, text=True, timeout=600)
    # 1: something useful is missing on this machine, clang++ for instance.
    c.that(result.returncode in (0, 1) and "a translated program builds and runs" in result.stdout, result.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build-dir", type=Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        c = Checker(options.build_dir.resolve(), Path(place).resolve())
        shutil.copytree(HERE, c.source, ignore=shutil.ignore_patterns("check_project.py", "__pycache__"))
        for part in (record, dry_run, translate, build, again, user_edits, rules, failing_sources, variants, stopped_analysis, broken_databases,
                     response_files, kernels_in_own_files, relative_places, crash, analyze, doctor):
            print(f"-- {part.__name__}", flush=True)
            part(c)
    print(f"{c.checked - c.failed} of {c.checked} checks passed")
    return 1 if c.failed else 0


if __name__ == "__main__":
    sys.exit(main())
