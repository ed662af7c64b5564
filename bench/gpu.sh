#!/usr/bin/env bash
# GPU tests and benches in one call, within 8 minutes; tables to $OUT (default build/bench-gpu). Programs from $BIN
# (.bundle where it is there, else build).
#   bench/gpu.sh [tests] [examples] [targets] [repeat]     default: all of them
set -u
cd "$(dirname "$0")/.."
BIN=${BIN:-$( [ -d .bundle ] && echo .bundle || echo build )}
OUT=${OUT:-build/bench-gpu}
mkdir -p "$OUT"
keep=$OUT/runs; mkdir -p "$keep"
parts=${*:-tests examples targets repeat}
start=$SECONDS
say() { printf '[%3ds] %s\n' $((SECONDS - start)) "$*"; }
{ nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem --format=csv,noheader; nproc; date -u +%F; } >"$OUT/machine.txt" 2>&1
cat "$OUT/machine.txt"

row() { # label, json file: one line of the table
    python3 - "$1" "$2" <<'P' 2>/dev/null || echo "| $1 | no result |"
import json, sys
j = json.load(open(sys.argv[2])); b = j["best"]; s = j["seconds"]
f = lambda v, p: "-" if v is None else p % v
if not b: print("| %s | nothing verified: %s |" % (sys.argv[1], j["outcomes"])); raise SystemExit
print("| %s | %.4f | %s | %s | %s | %s | %s | %d | %.1f | %.1f | %s |" % (sys.argv[1], b["kernel_ms"], f(j["naive_ms"], "%.4f"), f(b["speedup_vs_naive"], "%.2f"),
  f(b["sol_fraction"], "%.2f"), f(b["gb_s"], "%.0f"), f(b["gflop_s"], "%.0f"), j["evaluations"], s["total"], j["evaluations"] / max(s["total"], 1e-9),
  ", ".join(x["step"] + "@" + x["site"] for x in b["steps"])))
P
}
search() { # label, arguments...
    label=$1; shift
    timeout 120 "$BIN/regraph-search" "$@" --device cuda:0 --no-learn --force --out "$keep/$label" --json >"$keep/$label.json" 2>"$keep/$label.err"
    rc=$?
    [ $rc -eq 0 ] || say "$label: exit $rc: $(tail -n 2 "$keep/$label.err" | tr '\n' ' ')"
    row "$label" "$keep/$label.json" | tee -a "$OUT/table.md"
}
head_row() { printf '\n| %s | best ms | naive ms | x naive | of sol | GB/s | GFLOP/s | evals | s | evals/s | steps |\n|---|---|---|---|---|---|---|---|---|---|---|\n' "$1" | tee -a "$OUT/table.md"; }
: >"$OUT/table.md"
for part in $parts; do
    case $part in
    tests)
        for t in "$BIN"/test_*; do
            [ -x "$t" ] || continue
            timeout 120 "$t" >"$OUT/$(basename "$t").log" 2>&1; say "$(basename "$t"): exit $?, $(grep -c '^\[       OK' "$OUT/$(basename "$t").log") passed"
            grep -aE '^\[  FAILED|^\[   LINE|ERROR   ' "$OUT/$(basename "$t").log" | head -8
        done ;;
    examples)
        head_row example
        for f in examples/*.c; do # a model solves those with a record
            n=$(basename "$f" .c)
            [ -f "examples/$n.replay.jsonl" ] && continue
            search "$n" "$f" --evals 100 --time 15s
        done ;;
    targets)
        head_row target
        search sgemm-2048 examples/sgemm.c --size "${SGEMM_SIZE:-n=2048}" --evals 200 --time 60s
        search saxpy-2e28 examples/saxpy.c --size n=268435456 --evals 30 --time 60s
        search dot-2e28 examples/dot.c --size n=268435456 --evals 30 --time 60s ;;
    repeat)
        head_row repeat
        for n in saxpy gemv sgemm; do search "$n-again" "examples/$n.c" --evals 100 --time 15s; done ;;
    esac
done
say done
tar -C "$OUT" -czf "$OUT/runs.tgz" runs && rm -rf "$keep"
