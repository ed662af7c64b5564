#!/usr/bin/env bash
# Benches that need no GPU: evaluations a second on the simulated device, and where the time goes.
#   bench/cpu.sh [EVALS]      programs from $BIN (build)
set -u
cd "$(dirname "$0")/.."
BIN=${BIN:-build}; evals=${1:-60}
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
echo "$(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2-), $(nproc) cores, $(date -u +%F)"
echo "| example | evaluations | evals/s | compile s | verify s | estimate s | code generation s | best (estimated) ms | x naive | steps |"
echo "|---|---|---|---|---|---|---|---|---|---|"
for n in saxpy gemv sgemm; do
    "$BIN/regraph-search" "examples/$n.c" --device sim:h200 --evals "$evals" --patience 0 --no-learn --out "$W/$n" --json -q >"$W/$n.json"; [ $? -le 1 ] || exit 1
    get() { grep -m1 "\"$1\"" "$W/$n.json" | grep -oE '[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?' | tail -1; }
    chain=$(grep -oE '"(step|site)": "[^"]*"' "$W/$n.json" | cut -d'"' -f4 | paste -sd'@,' | sed 's/,/, /g')
    awk -v n="$n" -v e="$(get evaluations)" -v t="$(get total)" -v c="$(get compile)" -v v="$(get verify)" -v m="$(get time)" -v g="$(get coder)" -v b="$(get kernel_ms)" -v x="$(get speedup_vs_naive)" -v s="$chain" \
        'BEGIN { printf "| %s | %d | %.1f | %.1f | %.1f | %.1f | %.3f | %.4f | %.2f | %s |\n", n, e, e / t, c, v, m, g, b, x, s }'
done
