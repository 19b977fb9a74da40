#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a trace is JSON in the Trace Event Format: every event has what its kind needs, and times are in order.

usage: check_trace.py FILE
"""
import json
import sys

NEEDED = {"X": {"name", "ts", "dur", "pid", "tid"}, "i": {"name", "ts", "pid", "tid", "s"}, "M": {"name", "pid", "args"}}

events = json.load(open(sys.argv[1], encoding="utf-8"))["traceEvents"]
for event in events:
    missing = NEEDED[event["ph"]] - event.keys()
    assert not missing, (event, missing)
    assert event.get("ts", 0) >= 0 and event.get("dur", 0) >= 0, event
names = [event["name"] for event in events]
for name in ["outer range", 'inner "range"', "mark", "started second", "gr\ufffd\ufffde"]:
    assert names.count(name) == 1, name
assert sum("append" in name for name in names) == 1000, "the kernels of the test"
