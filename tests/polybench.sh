#!/usr/bin/env bash
# PolyBench's 30 computations (examples/polybench) on the simulated device, in both precisions: `make test-polybench`.
# A line each: outcome, error, kernels printed, launches in host loops, threads of the largest launch, steps.
set -u
cd "$(dirname "$0")/.."
export S=$(realpath "${BUILD:-build}")/regraph-search W=$(mktemp -d) EVALS=${EVALS:-3}
trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
one() {
    f=$1 t=$2 n=$(basename "$1" .c); o=$W/$n-$t
    timeout -k 2 170 "$S" "$f" --cflags "-DDATA_TYPE=$t" --device sim:h200 --evals "$EVALS" --no-learn --graph graphs/cuda.json --out "$o" --json -q \
        >"$o.json" 2>"$o.err" </dev/null; rc=$?
    bad=$(tr -d '\n' <"$o.json" | grep -oE '"outcomes": *\{[^}]*\}' | grep -oE '"(compile|plan|wrong|race|bounds|timeout|crash)": [1-9][0-9]*' | tr '\n' ' ')
    if { [ $rc -ne 0 ] && [ $rc -ne 1 ]; } || [ -n "$bad" ]; then
        echo "not ok $n $t: exit $rc $bad $(head -c 300 "$o.err")"
        return
    fi
    plan=$(sed -n '/The plan, as it was verified:/,/^#include/p' "$o/best.cu" | grep '^//')
    kernels=$(grep -c '^__global__' "$o/best.cu"); single=$(grep -c '^// one thread' "$o/best.cu")
    depth=$(awk 'BEGIN { d = m = 0 } /for \(/ { d++ } /<<</ { if (d > m) m = d } /^\/\/ *}/ { if (d) d-- } END { print m }' <<<"$plan")
    threads=$(grep -oE '"threads":[0-9.]+' "$o/journal.jsonl" | cut -d: -f2 | sort -n | tail -1)
    steps=$(tr -d '\n ' <"$o.json" | grep -oE '"step":"[^"]*"' | cut -d'"' -f4 | paste -sd,)
    error=$(grep -oE '"max_error": *[0-9.e+-]+' "$o.json" | head -1 | grep -oE '[0-9.e+-]+$')
    printf 'ok %-16s %-6s error %-9.1e kernels %2d (one thread: %d) host loops %d threads %-8.0f %s\n' "$n" "$t" "$error" "$kernels" "$single" "$depth" "$threads" "$steps"
}
export -f one
for f in examples/polybench/${ONLY:-*}.c; do for t in float double; do echo "$f $t"; done; done | xargs -P "${JOBS:-2}" -L1 bash -c 'one "$0" "$1"' | tee "$W/all"
echo "$(grep -c '^ok' "$W/all") of $(wc -l <"$W/all") verified"
! grep -q '^not ok' "$W/all"
