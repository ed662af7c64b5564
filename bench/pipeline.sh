#!/usr/bin/env bash
# How fast a search measures: evaluations a second on one GPU, with today's settings and older ones, by problem. At most
# 9 minutes. To stdout and $OUT/pipeline.md (default build/pipeline).
#   bench/pipeline.sh [--device D] [--evals N] [--time T] [PROBLEM...]
# Settings, set by --set and options of regraph-search:
#   default      what a user gets
#   all-exact    contend_within=0: every candidate timed as exactly as the best
#   one-at-once  --in-flight 1: one action at a time, values of its tunables compiled ahead
#   wide         --in-flight 8
# The compile cache is off: a second setting would find what the first one compiled. `search s` is from the first action
# to the end of the search, by the journal's clock; `kernel ms` guards against a faster search for a worse kernel. Where
# the seconds of each run went (bench/journal_seconds.py) stands in $OUT/seconds.txt.
set -u
cd "$(dirname "$0")/.."
device=cuda:0 evals=100 limit=20s only=' '
while [ $# -gt 0 ]; do
    case $1 in
    --device) device=$2; shift ;;
    --evals) evals=$2; shift ;;
    --time) limit=$2; shift ;;
    -*) echo "pipeline.sh: unknown option '$1'" >&2; exit 2 ;;
    *) only="$only$1 " ;;
    esac
    shift
done
BIN=${BIN:-$( [ -d .bundle ] && echo .bundle || echo build )}
OUT=${OUT:-build/pipeline}
mkdir -p "$OUT"
: >"$OUT/seconds.txt"
failed=0
{ nproc; date -u +%F; nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null; } | paste -sd' ' >"$OUT/machine.txt"
cat "$OUT/machine.txt"
printf '| problem | setting | evaluations | search s | evals/s | kernel ms | cores compiling | device busy |\n|---|---|---|---|---|---|---|---|\n' | tee "$OUT/pipeline.md"
search() { # problem, setting, arguments
    local name=$1-$2; local problem=$1 setting=$2; shift 2
    timeout 120 "$BIN/regraph-search" "$@" --device "$device" --graph graphs/cuda.json --no-learn --no-compile-cache --evals "$evals" --time "$limit" \
        --patience 0 --force --out "$OUT/$name" --json -q >"$OUT/$name.json" 2>"$OUT/$name.err" </dev/null
    rc=$?
    if [ $rc -gt 1 ]; then
        echo "| $problem | $setting | exit $rc: $(tail -n 1 "$OUT/$name.err") |" | tee -a "$OUT/pipeline.md"
        failed=1
        return
    fi
    python3 - "$problem" "$setting" "$OUT/$name.json" "$OUT/$name/journal.jsonl" <<'P' | tee -a "$OUT/pipeline.md"
import json, sys
best = json.load(open(sys.argv[3]))["best"] or {}
lines = [json.loads(l) for l in open(sys.argv[4])]
at = lambda kind, which: next((l["clock"]["t"] for l in which if l["line"] == kind), 0)
evals = [l for l in lines if l["line"] in ("eval", "again")]
each = lambda k: sum(l.get("clock", {}).get(k) or 0 for l in evals)
n = sum(l["line"] == "eval" for l in evals)
search = max(at("end", reversed(lines)) - at("action", lines), 1e-9)
print("| %s | %s | %d | %.1f | %.1f | %.4g | %.1f | %.0f %% |" % (sys.argv[1], sys.argv[2], n, search, n / search,
      best.get("kernel_ms") or float("nan"), each("compile_s") / search, 100 * (each("verify_s") + each("time_s")) / search))
P
    python3 bench/journal_seconds.py "$OUT/$name/journal.jsonl" >>"$OUT/seconds.txt"
}
for problem in "saxpy examples/saxpy.c" "gemv examples/gemv.c" "sgemm-1024 examples/sgemm.c --size n=1024" \
    "jacobi-2d examples/polybench/jacobi-2d.c --cflags -DDATA_TYPE=float --size tsteps=100,n=1300"; do
    # shellcheck disable=SC2086
    set -- $problem
    name=$1; shift
    case $only in ' ' | *" $name "*) ;; *) continue ;; esac
    search "$name" default "$@"
    search "$name" all-exact "$@" --set contend_within=0
    search "$name" one-at-once "$@" --in-flight 1
    search "$name" wide "$@" --in-flight 8
done
exit $failed
