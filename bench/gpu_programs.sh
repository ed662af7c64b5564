#!/usr/bin/env bash
# C files of many kinds through a search on a GPU, one line each: exit code, outcomes other than ok, best and naive times, launches.
#   bench/gpu_programs.sh FILE.c...      programs from $BIN (.bundle where it is there, else build); EVALS (12), SECONDS_EACH (8)
set -u
cd "$(dirname "$0")/.."
BIN=${BIN:-$( [ -d .bundle ] && echo .bundle || echo build )}
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
for f in "$@"; do
    n=$(basename "$f" .c)
    timeout 60 "$BIN/regraph-search" "$f" --device "${DEVICE:-cuda:0}" --evals "${EVALS:-12}" --time "${SECONDS_EACH:-8}s" --no-learn --out "$W/$n" --json >"$W/$n.json" 2>"$W/$n.err"; rc=$?
    python3 - "$n" $rc "$W/$n.json" "$W/$n.err" <<'P'
import json, sys
n, rc, j, e = sys.argv[1:]
try: d = json.load(open(j))
except Exception: print("%-20s exit %s: %s" % (n, rc, open(e).read().strip()[-160:])); raise SystemExit
b = d["best"]
print("%-20s exit %s  %-28s best %s naive %s  x seq %s  %s" % (n, rc, {k: v for k, v in d["outcomes"].items()}, b and "%.4f ms" % b["kernel_ms"], d["naive_ms"] and "%.4f ms" % d["naive_ms"],
      b and b["speedup_vs_sequential"] and "%.1f" % b["speedup_vs_sequential"], ",".join(s["step"] for s in b["steps"])[:90] if b else ""))
P
done
