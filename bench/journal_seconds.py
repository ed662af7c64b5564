#!/usr/bin/env python3
"""Where the seconds of searches went: bench/journal_seconds.py [--each] OUT/journal.jsonl...

Per journal: seconds before the first action (reading, the C at the small sizes, workers), of the search, and of what it
ends with; evaluations a second of the search; compiling in CPU seconds and in cores kept busy by it, and how many
candidates earlier runs had compiled; seconds in which the device verified and timed (with second measurements, `again`),
its share of the search, and the idle rest: what it waited for. By purpose of the actions, evaluations and device seconds.
Last the evaluations with the longest compilation, verification and timing. --each: a line an evaluation, with the wait
since the line before. Duels and counters have no clock of their own and count as idle; where several actions are under
way the device's seconds may be those of several devices.
"""
import json, sys

def read(path):
    return [json.loads(line) for line in open(path)]

def clock(line, key):
    return line.get("clock", {}).get(key) or 0.0

def summary(path, each):
    lines = read(path)
    run = next(l for l in lines if l["line"] == "run")
    purpose = {l["a"]: l["purpose"] for l in lines if l["line"] == "action"}
    begun = next((clock(l, "t") for l in lines if l["line"] == "action"), clock(run, "t"))
    end = next((clock(l, "t") for l in reversed(lines) if l["line"] == "end"), clock(lines[-1], "t"))
    last = clock(lines[-1], "t")
    evals = [l for l in lines if l["line"] == "eval"]
    agains = [l for l in lines if l["line"] == "again"]
    search = max(end - begun, 1e-9)
    compiled = [l for l in evals + agains if not l.get("clock", {}).get("compiled_before")]
    compiling = sum(clock(l, "compile_s") for l in compiled)
    verify, timing = sum(clock(l, "verify_s") for l in evals), sum(clock(l, "time_s") for l in evals)
    second = sum(clock(l, "verify_s") + clock(l, "time_s") for l in agains)
    busy = verify + timing + second
    print("%s  %s on %s" % (path, run["function"], run["device"]))
    print("  %.1f s before the search, %.1f s of it, %.1f s after; %d evaluations, %.1f a second, %d reused" % (
        begun, search, last - end, len(evals), len(evals) / search, sum(l["line"] == "reused" for l in lines)))
    print("  compiling %.1f CPU s (%.2f s each, %.1f cores), %d of %d known from before" % (
        compiling, compiling / max(len(compiled), 1), compiling / search,
        len(evals + agains) - len(compiled), len(evals + agains)))
    print("  device busy %.1f s (%.0f %%): verifying %.1f, timing %.1f, second measurements %.1f; idle %.1f s" % (
        busy, 100 * busy / search, verify, timing, second, max(search - busy, 0)))
    for p in sorted({purpose.get(l["a"], "?") for l in evals}):
        own = [l for l in evals if purpose.get(l["a"], "?") == p]
        seconds = sum(clock(l, "verify_s") + clock(l, "time_s") for l in own)
        print("    %-8s %4d evaluations, device %.2f s" % (p, len(own), seconds))
    for key, what in (("compile_s", "compilation"), ("verify_s", "verification"), ("time_s", "timing")):
        top = sorted(evals, key=lambda l: -clock(l, key))[:3]
        vector = lambda l: ",".join("%s=%d" % i for i in (l.get("vector") or {}).items())
        print("    longest %-12s %s" % (what, ", ".join("%.2f s (%s)" % (clock(l, key), vector(l)) for l in top)))
    before = begun
    for n, l in enumerate(evals if each else [], 1):
        own = clock(l, "verify_s") + clock(l, "time_s")
        print("  %4d t %.3f  since the last %.3f  compile %.3f%s  verify %.3f  time %.3f  rest %.3f  %s" % (
            n, clock(l, "t"), clock(l, "t") - before, clock(l, "compile_s"),
            " (known)" if l["clock"].get("compiled_before") else "", clock(l, "verify_s"),
            clock(l, "time_s"), max(clock(l, "t") - before - own, 0), l["evaluation"]["outcome"]))
        before = clock(l, "t")

args = sys.argv[1:]
if not [a for a in args if a != "--each"] or "--help" in args:
    print(__doc__.strip())
    sys.exit(0 if "--help" in args else 2)
for p in args:
    if p != "--each": summary(p, "--each" in args)
