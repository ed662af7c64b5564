#!/usr/bin/env bash
# A scripted model of the strength of a small and of a large one (bench/model/scripted_model.py: kernels of the built-in
# coder's own, spoilt as often as such models err) at small size: with both coders a search ends no more than 5 % behind
# the better of the two alone, and at most a tenth of the calls is wasted: refused, asked again, not applied, or thrown
# away for form, by whoever's fault.
# test-deadline: 400
set -u
command -v python3 >/dev/null || { echo "skip strengths (no python3)"; exit 0; }
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
bad=0
say() { if [ "$1" -eq 0 ]; then echo "ok $2"; else echo "not ok $2: $3"; bad=1; fi; }
M="python3 bench/model/scripted_model.py"; P="tests/llm/solved/spmv/spmv.c examples/softmax.c"
ALL="--evals 10 --calls 12 --strengths frontier,7b --configs llm:mcgs,both:mcgs --in-flight 1"
play() { $M run "$BUILD/regraph-search" "$W" $P $ALL >"$W/$1" 2>&1; }
play out; say $? runs "$(tail -n 1 "$W/out")"
$M table "$W" >"$W/table"; say $? both-no-worse "$(tail -n 3 "$W/table" | tr '\n' ' ')"
n=$(grep -c '^| \(frontier\|7b\)' "$W/table"); [ "$n" -eq 4 ]; say $? rows "$n rows"
# of the model alone, whose course no clock decides
w=$(awk -F'|' '/^\| (frontier|7b) \| llm/ { n += $10; s += $12 / 100 * $10 } END { print n ? 100 * s / n : 100 }' "$W/table")
awk -v w="$w" 'BEGIN { exit !(w <= 10) }'; say $? few-wasted "$w % of the calls: $(cat "$W/table")"
# what is there is not searched again
play again; [ $? -eq 0 ] && [ ! -s "$W/again" ]; say $? kept "$(tail -n 1 "$W/again")"
exit $bad
