#!/usr/bin/env bash
# Measures folders of kernels on a GPU, a JSON document each in $OUT (default build/measured), as shared/kernels/README.md describes h200.json.
#   bench/sim_measure.sh [FOLDER...]     default: bench/sim_kernels, and .bundle/kernels where somebody put shared/kernels there
set -u
cd "$(dirname "$0")/.."
BIN=${BIN:-$( [ -d .bundle ] && echo .bundle || echo build )}
OUT=${OUT:-build/measured}
mkdir -p "$OUT"
[ $# -gt 0 ] || set -- bench/sim_kernels $( [ -d .bundle/kernels ] && echo .bundle/kernels )
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem --format=csv,noheader
for f in "$@"; do
    n=$(basename "$f")
    "$BIN/regraph-worker" --kernels "$f" --device "${DEVICE:-cuda:0}" --seconds 40 >"$OUT/$n.json"; rc=$?
    # no C compiler for ref.c there: the times are wanted all the same
    grep -q hot_us "$OUT/$n.json" || { "$BIN/regraph-worker" --kernels "$f" --device "${DEVICE:-cuda:0}" --no-verify --seconds 40 >"$OUT/$n.json"; rc=$?; }
    python3 - "$OUT/$n.json" $rc <<'P'
import json, sys
d = json.load(open(sys.argv[1]))
for p, q in d["problems"].items():
    v = q["variants"]
    print("%-12s %2d variants, %2d timed, %2d verified; hot us %s" % (p, len(v), sum("hot_us" in x for x in v.values()), sum(x["verified"] for x in v.values()),
          " ".join("%.1f" % x["hot_us"] if "hot_us" in x else x["outcome"] for x in v.values())))
    for n, x in v.items():
        if "message" in x: print("   ", n, x["message"])
print(d["device"], "null launch", d.get("null_launch_us"), "exit", sys.argv[2])
P
done
nvidia-smi --query-gpu=clocks.sm,clocks.mem --format=csv,noheader
