#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds projects against cu2cpp, from its build tree or from an installation that is then moved:
  build-tree, installed   consumer/, which uses the functions of find_package(cu2cpp); then cu2cc, then a makefile's commands
  drop-in                 dropin/, which knows CMake's CUDA language only, with makefiles and Ninja, from an installation
Checks too that a changed header leads to a new translation and that nothing is translated when nothing has changed.

usage: check_package.py build-tree|installed|drop-in --build-dir B --cmake CMAKE --work-dir W
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys


def run(*command):
    print("+", " ".join(map(str, command)), flush=True)
    result = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(result.stdout, end="", flush=True)
    if result.returncode != 0:
        sys.exit(f"FAIL: exit code {result.returncode} of the command above")
    return result.stdout


def expect(condition, claim):
    if not condition:
        sys.exit(f"FAIL: {claim}")
    print(f"ok: {claim}", flush=True)


def install(cmake, build, work):
    """Installs below one name and moves it to another: nothing in it may remember where it was."""
    run(cmake, "--install", build, "--prefix", work / "first")
    prefix = work / "moved"
    (work / "first").rename(prefix)
    top = sorted(p.name for p in (prefix / "lib").iterdir())
    expect(not (prefix / "include").exists(), "no header lies where another toolchain's could be shadowed")
    expect(set(top) <= {"cmake", "cu2cpp"}, f"lib/ holds cmake and cu2cpp only: {top}")
    commands = sorted(p.name for p in (prefix / "bin").iterdir())
    expect(commands == ["cu2cc", "cu2cpp"], f"bin/ holds our commands only, no nvcc: {commands}")
    for command in commands:
        page = (prefix / "share" / "man" / "man1" / f"{command}.1").read_text()
        expect(f".TH {command} 1" in page and "Options" in page.title(), f"there is a manual page of {command}")
        expect((prefix / "share" / "bash-completion" / "completions" / command).exists(), f"bash completes {command}")
    for text in (prefix / "lib" / "cmake").rglob("*.cmake"):
        expect(str(build) not in text.read_text(), f"{text.name} does not name the build tree")
    return prefix


def fail_of(*command):
    """The output of a command that must fail."""
    print("+", " ".join(map(str, command)), flush=True)
    result = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    expect(result.returncode != 0, f"this fails: {command[-1]}")
    return result.stdout


def check_drop_in(cmake, prefix, work, generator):
    source = work / "source"
    build = work / generator.replace(" ", "-")
    if not source.exists():
        shutil.copytree(pathlib.Path(__file__).parent / "dropin", source)
    toolchain = prefix / "lib" / "cmake" / "cu2cpp" / "toolchain.cmake"
    text = run(cmake, "-G", generator, "-S", source, "-B", build, f"-DCMAKE_TOOLCHAIN_FILE={toolchain}",
               "-DCMAKE_BUILD_TYPE=Release")
    expect("compiler NVIDIA 12.4.0" in text and "Toolkit 12.4.0" in text, "CMake knows compiler and Toolkit")
    run(cmake, "--build", build, "-j", "2")
    expect(run(build / "app") == "value 88\n", "(10 * 3 + 7 + 7) * 2 = 88 across separately compiled sources")
    expect(run(build / "host_only") == "value 37 inside\n", "a program without kernels uses a shared library with kernels")
    expect(run(build / "driver", build / "module.fatbin") == "value 20\n", "a module's kernel runs")
    os.environ["CU2CPP_CACHE"] = str(work / "modules")
    expect(run(build / "by_dlopen") == "own 0 0 0 value 29\n", "the driver API is found by dlopen()")
    if (build / "blas").exists():
        expect(run(build / "blas") == "value 28\n", "CUDA::cublas links")
    expect("cu2cpp does not provide" in fail_of(cmake, "--build", build, "--target", "needs_fft"),
           "linking CUDA::cufft says that it is missing")
    header = source / "include" / "parts.cuh"
    changed = header.read_text().replace("#define FACTOR 3", "#define FACTOR 5")
    before = (build / "app").stat().st_mtime_ns
    run(cmake, "--build", build)
    expect(before == (build / "app").stat().st_mtime_ns, "an unchanged project builds nothing")
    newer = before / 1e9 + 1
    header.write_text(changed)
    os.utime(header, (newer, newer))
    run(cmake, "--build", build, "--target", "app", "-j", "2")
    expect(run(build / "app") == "value 128\n", "(10 * 5 + 7 + 7) * 2 = 128 after the header has changed")
    header.write_text(changed.replace("#define FACTOR 5", "#define FACTOR 3"))


def check_run_time_compilation(cu2cc, work):
    """A program finds the cu2cc of the installation that it was compiled with, without PATH or variables."""
    program = work / "run-time"
    run(cu2cc, pathlib.Path(__file__).parent / "run_time.cpp", "-lnvrtc", "-lcuda", "-o", program)
    real = cu2cc.with_name("cu2cc-real")
    cu2cc.rename(real)
    cu2cc.write_text(f"#!/bin/sh\ntouch {work}/was-called\nexec {real} \"$@\"\n")
    cu2cc.chmod(0o755)
    os.environ.pop("CU2CPP_CU2CC", None)
    os.environ["CU2CPP_CACHE"] = str(work / "modules")
    expect(run(program) == "value 42\n", "a kernel compiled at run time runs")
    expect((work / "was-called").exists(), "the installation's own cu2cc compiled it")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("way", choices=["build-tree", "installed", "drop-in"])
    parser.add_argument("--build-dir", type=pathlib.Path, required=True)
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--work-dir", type=pathlib.Path, required=True)
    args = parser.parse_args()

    work = args.work_dir
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    prefix = args.build_dir if args.way == "build-tree" else install(args.cmake, args.build_dir, work)

    if args.way == "drop-in":
        for generator in ["Unix Makefiles"] + (["Ninja"] if shutil.which("ninja") else []):
            check_drop_in(args.cmake, prefix, work, generator)
        print("PASS")
        return

    source = work / "source"
    build = work / "build"
    shutil.copytree(pathlib.Path(__file__).parent / "consumer", source)
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run(args.cmake, "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release", *generator)
    run(args.cmake, "--build", build, "-j", "2")
    expect(run(build / "consumer") == "value 97\n", "10 * 3 * 3 + 7 = 97")

    translated = sorted(build.rglob("*.cu2cpp/*/*.cpp"))
    expect(len(translated) == 4, f"four sources were translated: {[p.name for p in translated]}")
    if any(shutil.which(f"clang++-{version}") for version in (19, 20, 21, 18, 17)):
        objects = {p: b"clang version" in p.read_bytes() for p in build.rglob("*.cpp.o")}
        wrong = [str(p) for p, by_clang in objects.items() if by_clang != (".cu2cpp" in str(p))]
        expect(len(objects) == 5 and not wrong, f"clang++ has compiled what was translated, and nothing else: {wrong}")
    before = [p.stat().st_mtime_ns for p in translated]
    run(args.cmake, "--build", build)
    expect(before == [p.stat().st_mtime_ns for p in translated], "an unchanged project translates nothing")

    header = source / "include" / "factor.cuh"
    header.write_text(header.read_text().replace("#define FACTOR 3", "#define FACTOR 5"))
    newer = max(before) / 1e9 + 1  # whatever the resolution of the file system's times
    os.utime(header, (newer, newer))
    run(args.cmake, "--build", build, "-j", "2")
    expect(run(build / "consumer") == "value 257\n", "10 * 5 * 5 + 7 = 257 after the header has changed")

    # The command, with a program in a folder of its own.
    cu2cc = prefix / "bin" / "cu2cc"
    run(cu2cc, "-I", source / "include", '-DNAME="scale"', "-DOFFSET=7", source / "main.cu", source / "scale.cu",
        source / "sum.cu", source / "table.cu", "-rdc=true", source / "host.cpp", source / "count.c", "-o",
        work / "by-cu2cc")
    expect(run(work / "by-cu2cc") == "value 257\n", "cu2cc builds the same program")

    # A makefile that takes lib/cu2cpp/toolkit for a CUDA Toolkit, and links with gcc.
    toolkit = prefix / "lib" / "cu2cpp" / "toolkit"
    run(toolkit / "bin" / "nvcc", "-c", f"-I{toolkit}/include", "-I", source / "include", '-DNAME="scale"', "-DOFFSET=7",
        source / "main.cu", source / "scale.cu", "-odir", work)
    run(toolkit / "bin" / "nvcc", "-dc", source / "sum.cu", source / "table.cu", "-odir", work)
    run(toolkit / "bin" / "nvcc", "-dlink", work / "sum.o", work / "table.o", "-o", work / "linked.o")
    run("g++", "-c", f"-I{toolkit}/include", source / "host.cpp", "-o", work / "host.o")
    run("gcc", "-c", f"-I{toolkit}/include", source / "count.c", "-o", work / "count.o")
    run("gcc", *(work / f"{name}.o" for name in ("main", "scale", "sum", "table", "linked", "host", "count")), f"-L{toolkit}/lib64", "-lcuda",
        "-lcudart", "-o", work / "by-gcc")
    expect(run(work / "by-gcc") == "value 257\n", "objects of nvcc's stand-in link with gcc and -lcudart")
    if args.way == "installed":
        check_run_time_compilation(cu2cc, work)
    print("PASS")


if __name__ == "__main__":
    main()
