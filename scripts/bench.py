#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times each workload of bench/ translated by cu2cpp against hand-written OpenMP C++.

Both are run in turn, in alternating order, several times; a ratio is the median over the pairs of
(OpenMP time / our time), so above 1 means that the translated program is faster. Kernels with barriers or
warp functions are also forced to fibers. Prints a table; --write puts it into docs/performance.md with a plot.
"""
import argparse
import math
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLLECTIVE = re.compile(r"__syncthreads|_sync\(|\.sync\(")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", type=Path, default=ROOT / "build", help="where cu2cpp was built")
    parser.add_argument("--work-dir", type=Path, help="where programs are built (default: BUILD_DIR/bench)")
    parser.add_argument("--filter", default="", help="run only workloads whose name contains this (several: a,b)")
    parser.add_argument("--quick", action="store_true", help="3 pairs of 3 rounds instead of 7 pairs of 5")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="OpenMP threads of both programs")
    parser.add_argument("--cpu-time", action="store_true", help="compare processor time (with --threads 1, on a busy "
                        "machine)")
    parser.add_argument("--compiler", help="compiler of the translated programs (default: cu2cc chooses)")
    parser.add_argument("--reference", default="g++", help="compiler of the OpenMP programs")
    parser.add_argument("--no-fibers", action="store_true", help="leave out the programs forced to fibers")
    parser.add_argument("--no-build", action="store_true", help="run what was built before")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md and docs/performance.svg")
    return parser.parse_args()


def build(command, target):
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return time.monotonic() - start


def run(program, options, rounds, limit=300):
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads), BENCH_ROUNDS=str(rounds))
    if options.cpu_time:
        environment["BENCH_CPU"] = "1"
    try:
        done = subprocess.run([program], capture_output=True, text=True, env=environment, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    values = dict(line.split()[:2] for line in done.stdout.splitlines() if len(line.split()) >= 2)
    if done.returncode or "check" not in values:
        return None
    return float(values["time_ms"]), float(values["check"])


def agrees(a, b):
    return abs(a - b) <= 1e-4 * max(abs(a), abs(b), 1e-30)


class Workload:
    def __init__(self, folder, options, work):
        self.name = folder.name
        self.source = folder / f"{folder.name}.cu"
        self.openmp = folder / "openmp.cpp"
        self.options = options
        self.programs = {kind: work / f"{self.name}.{kind}" for kind in ("cu", "omp", "fibers")}
        self.collective = bool(COLLECTIVE.search(self.source.read_text()))
        built = self.programs["cu"].with_suffix(".build")
        self.compile_ratio = float(built.read_text()) if built.exists() else float("nan")
        self.right = True

    def build(self):
        translate = [self.options.build_dir / "bin/cu2cc", "-O3", self.source]
        if self.options.compiler:
            translate += ["-ccbin", self.options.compiler]
        ours = build(translate + ["-o", self.programs["cu"]], self.programs["cu"])
        theirs = build([self.options.reference, "-std=c++17", "-O3", "-march=native", "-fopenmp", self.openmp, "-o",
                        self.programs["omp"]], self.programs["omp"])
        self.compile_ratio = ours / theirs
        self.programs["cu"].with_suffix(".build").write_text(f"{self.compile_ratio}\n")
        if self.collective and not self.options.no_fibers:
            build(translate + ["--cu2cpp-form=fibers", "-o", self.programs["fibers"]], self.programs["fibers"])

    def measure(self, pairs, rounds):
        ours, theirs, ratios = [], [], []
        for pair in range(pairs):
            order = ("cu", "omp") if pair % 2 == 0 else ("omp", "cu")
            got = {kind: run(self.programs[kind], self.options, rounds) for kind in order}
            if not got["cu"] or not got["omp"] or not agrees(got["cu"][1], got["omp"][1]):
                self.right = False
                print(f"{self.name}: {got}", file=sys.stderr)
                return
            ours.append(got["cu"][0])
            theirs.append(got["omp"][0])
            ratios.append(got["omp"][0] / got["cu"][0])
        self.ours, self.theirs = statistics.median(ours), statistics.median(theirs)
        self.ratio = statistics.median(ratios)
        self.fibers = None
        if self.collective and not self.options.no_fibers:
            got = run(self.programs["fibers"], self.options, 1, limit=120)
            self.fibers = got[0] / self.ours if got and agrees(got[1], run_check(self)) else None


def run_check(workload):
    return run(workload.programs["omp"], workload.options, 1)[1]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def building(workload):
    return "-" if math.isnan(workload.compile_ratio) else f"{workload.compile_ratio:.1f}"


def table(workloads):
    rows = ["| workload | OpenMP, ms | cu2cpp, ms | OpenMP / cu2cpp | fibers / cu2cpp | build time / OpenMP's |",
            "|---|---|---|---|---|---|"]
    for w in workloads:
        if not w.right:
            rows.append(f"| {w.name} | - | - | wrong or failed | - | {building(w)} |")
            continue
        fibers = f"{w.fibers:.0f}" if w.fibers else "-"
        rows.append(f"| {w.name} | {w.theirs:.2f} | {w.ours:.2f} | {w.ratio:.2f} | {fibers} | {building(w)} |")
    return "\n".join(rows)


def plot(workloads):
    """A bar for each workload on a logarithmic axis around 1."""
    left, top, height, scale = 150, 30, 22, 90
    right = left + 5 * scale
    zero = left + 2.5 * scale
    lines = []
    for i, w in enumerate(workloads):
        y = top + i * height
        length = max(-2.5, min(2.5, math.log2(w.ratio))) * scale
        colour = "#2a7f62" if w.ratio >= 1 else "#c9772b" if w.ratio >= 0.6 else "#b23a48"
        x = min(zero, zero + length)
        lines.append(f'<text x="{left - 8}" y="{y + 15}" text-anchor="end">{w.name}</text>')
        lines.append(f'<rect x="{x:.1f}" y="{y + 3}" width="{abs(length):.1f}" height="{height - 7}" fill="{colour}"/>')
        side = "start" if length >= 0 else "end"
        at = zero + length + (4 if length >= 0 else -4)
        lines.append(f'<text x="{at:.1f}" y="{y + 15}" text-anchor="{side}">{w.ratio:.2f}</text>')
    bottom = top + len(workloads) * height
    for power in (-2, -1, 0, 1, 2):
        x = zero + power * scale
        dark = "#333" if power == 0 else "#ccc"
        lines.insert(0, f'<line x1="{x}" y1="{top - 4}" x2="{x}" y2="{bottom}" stroke="{dark}"/>')
        lines.append(f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{2.0 ** power:g}</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{right + 60}" height="{bottom + 30}" '
            f'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n'
            f'<text x="{left}" y="16">OpenMP time / cu2cpp time (higher is better)</text>\n' + "\n".join(lines)
            + "\n</svg>\n")


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def write(workloads, options, mean):
    version = subprocess.run([options.reference, "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    page = (ROOT / "docs/performance.md").read_text()
    begin, end = "<!-- table: written by scripts/bench.sh -->", "<!-- end of table -->"
    text = (f"{begin}\nGeometric mean **{mean:.2f}** over {len(workloads)} workloads, {options.threads} threads, "
            f"{processor()}, {version}.\n\n![ratios](performance.svg)\n\n{table(workloads)}\n{end}")
    page = re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: text, page, flags=re.S)
    (ROOT / "docs/performance.md").write_text(page)
    (ROOT / "docs/performance.svg").write_text(plot([w for w in workloads if w.right]))


def main():
    options = arguments()
    work = options.work_dir or options.build_dir / "bench"
    work.mkdir(parents=True, exist_ok=True)
    names = options.filter.split(",")
    folders = sorted(f.parent for f in (ROOT / "bench").glob("*/openmp.cpp"))
    workloads = [Workload(f, options, work) for f in folders if any(n in f.name for n in names)]
    if not workloads:
        sys.exit(f"no workload matches '{options.filter}'")
    if not options.no_build:
        for w in workloads:
            w.build()
    pairs, rounds = (3, 3) if options.quick else (7, 5)
    for w in workloads:
        w.measure(pairs, rounds)
        print(table([w]).splitlines()[-1], flush=True)
    mean = geometric_mean([w.ratio for w in workloads if w.right])
    print(f"\ngeometric mean of OpenMP time / cu2cpp time: {mean:.3f}")
    if options.write:
        write(workloads, options, mean)
    return 0 if all(w.right for w in workloads) else 1


if __name__ == "__main__":
    sys.exit(main())
