#!/usr/bin/env bash
# The model coder's loops at equal calls over the examples (docs/loops.md): pass@1, fast_1, geomean speed-up, tokens.
#   bench/llm.sh [OPTIONS OF regraph-search: --llm-url URL --llm-model NAME --device DEV ...]      programs from $BIN (build)
# $CALLS requests a loop and example (20), $EXAMPLES files (all), $DEVICE (auto). One shot is one request.
set -u
cd "$(dirname "$0")/.."
BIN=${BIN:-build}; CALLS=${CALLS:-20}; DEVICE=${DEVICE:-auto}; EXAMPLES=${EXAMPLES:-examples/*.c}
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
num() { grep -m1 "\"$1\"" "$2" | sed 's/.*: *//' | grep -oE '^-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?' || echo nan; }
run() { # loop, file, options
    loop=$1; f=$2; n=$(basename "$f" .c); shift 2
    "$BIN/regraph-search" "$f" --coder llm --device "$DEVICE" --no-learn --max-calls "$CALLS" --patience 0 --json -q --out "$W/$loop-$n" "$@" "${MODEL[@]}" \
        >"$W/$loop-$n.json" 2>"$W/$loop-$n.err" </dev/null
    echo "$loop $n $? $(num speedup_vs_sequential "$W/$loop-$n.json") $(num speedup_vs_naive "$W/$loop-$n.json") $(num tokens "$W/$loop-$n.json") $(num calls "$W/$loop-$n.json") $(num cost "$W/$loop-$n.json")" >>"$W/rows"
}
MODEL=("$@")
for f in $EXAMPLES; do
    run one-shot "$f" --graph graphs/free.json --apply write
    run best-of-n "$f" --graph graphs/free.json --forbid improve --policy best-of-n --llm-tries "$CALLS"
    run refine "$f" --graph graphs/free.json --policy refine --llm-tries 15
    run random "$f" --graph graphs/cuda.json --policy random
    run mcgs "$f" --graph graphs/cuda.json --policy mcgs
    [ -n "${VERBOSE:-}" ] && tail -n 5 "$W/rows" >&2
done
echo "$(date -u +%F), $DEVICE, $CALLS calls a loop and example"
echo "| loop | examples | pass@1 | fast_1 | geomean x sequential | geomean x first verified | calls | tokens | cost \$ |"
echo "|---|---|---|---|---|---|---|---|---|"
# exit 0 and 1: verified. fast_1: verified and faster than the sequential code (unknown on a simulated device). What did not verify counts as 1x.
awk '{ l = $1; if (!(l in n)) order[++k] = l; n[l]++; ok = $3 == 0 || $3 == 1; pass[l] += ok
       if ($4 != "nan") { known[l]++; fast[l] += ok && $4 > 1; seq[l] += ok && $4 > 0 ? log($4) : 0 }
       naive[l] += ok && $5 != "nan" && $5 > 0 ? log($5) : 0; if ($6 != "nan") tokens[l] += $6; if ($7 != "nan") calls[l] += $7; if ($8 != "nan") cost[l] += $8 }
     END { for (i = 1; i <= k; i++) { l = order[i]
           f = known[l] ? sprintf("%.2f", fast[l] / n[l]) : "-"; s = known[l] ? sprintf("%.2f", exp(seq[l] / n[l])) : "-"
           printf "| %s | %d | %.2f | %s | %s | %.2f | %d | %d | %.4f |\n", l, n[l], pass[l] / n[l], f, s, exp(naive[l] / n[l]), calls[l], tokens[l], cost[l] } }' "$W/rows"
