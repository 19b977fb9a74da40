#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that each row of translator/report/diagnostics.def is provoked by a test: its number stands in a file of
test-corpus/ or translator/tests/, in a line that expects it. Exit code 1 and a line for each row without one.
"""
import re
import sys

from gen_docs import ROOT, rows

FOLDERS = ["test-corpus", "translator/tests"]
EXPECTS = re.compile(r"//\s*(?:DIAG|EXPECT|CHECK):.*CU\d{4}|EXPECT_.*CU\d{4}|\"\[?CU\d{4}")


def main():
    tested = set()
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".cu", ".cuh", ".cpp", ".py") and path.is_file():
                for line in path.read_text(encoding="utf-8").splitlines():
                    if EXPECTS.search(line):
                        tested.update(int(number) for number in re.findall(r"CU(\d{4})", line))
    known = {number: name for number, name, *_ in rows()}
    for number in sorted(set(known) - tested):
        print(f"CU{number} ({known[number]}) has no test: add one to test-corpus/reject/ or test-corpus/translate/")
    for number in sorted(tested - set(known)):
        print(f"CU{number} is expected by a test but is not in the table")
    return int(set(known) != tested)


if __name__ == "__main__":
    sys.exit(main())
