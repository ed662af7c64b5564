#!/usr/bin/env bash
# The worked examples of the prompts (llm/prompts/until-stable.txt and others) are right: as a model's reply to the C that they speak of (tests/llm/worked)
# each compiles, fits its plan and verifies.
# test-deadline: 120
set -u
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
unset OPENAI_API_KEY
bad=0
say() { if [ "$1" -eq 0 ]; then echo "ok $2"; else echo "not ok $2: $3"; bad=1; fi; }
solve() { # name, C file, prompt
    c=$2; p=$1; mkdir "$W/$p"
    cp "llm/prompts/$3.txt" "$W/$p/example.txt"; printf 'write - example.txt\n' >"$W/$p/rules"
    timeout 60 "$BUILD/tests/llm/make_record" "$W/$p" "$W/$p.record" worked "$BUILD/regraph-search" "$c" --coder llm --llm-model worked --device sim:h200 \
        --graph graphs/cuda.json --no-learn --evals 1 --max-calls 1 --llm-tries 1 --json --out "$W/$p/out" >"$W/$p.json" 2>"$W/$p.err" </dev/null
    [ $? -le 1 ]; say $? "$p-verified" "$(tail -n 2 "$W/$p.err" | tr '\n' ' ')"
    n=$(grep -c '"outcome":"ok"' "$W/$p/out/journal.jsonl"); [ "$n" -ge 1 ]; say $? "$p-timed" "$(grep -o '"outcome":"[a-z]*","message":"[^"]*"' "$W/$p/out/journal.jsonl" | head -n 1)"
}
for c in tests/llm/worked/*.c; do p=$(basename "$c" .c); solve "$p" "$c" "$p"; done
# A plan whose length depends on data is estimated for what it does at the timed size, not for what the C's bounds would allow.
solve bounded tests/llm/worked/bounded/rounds.c until-stable
us() { sed -n 's/.*"kernel_ms": \([0-9.e-]*\).*/\1/p' "$W/$1.json" | head -n 1; }
a=$(us until-stable); b=$(us bounded)
awk -v a="$a" -v b="$b" 'BEGIN { exit !(a > 0 && b > 0.9 * a && b < 1.1 * a) }'; say $? "rounds-as-they-are" "$a ms, with a bound $b ms"
# Where a run in full at the timed size would be too long, its first rounds are counted on: as many as the C's own rounds
# tell. The same kernel alone is run in full.
c=tests/llm/worked/bounded/heap; mkdir -p "$W/heap" "$W/alone/heap"
cp $c.txt "$W/heap/example.txt"; printf 'write - example.txt\n' >"$W/heap/rules"
timeout 100 "$BUILD/tests/llm/make_record" "$W/heap" "$W/heap.record" worked "$BUILD/regraph-search" $c.c --coder llm \
    --llm-model worked --device sim:h200 --graph graphs/cuda.json --no-learn --evals 1 --max-calls 1 --llm-tries 1 \
    --json --out "$W/heap/out" >"$W/heap.json" 2>"$W/heap.err" </dev/null
[ $? -le 1 ]; say $? heap-verified "$(tail -n 2 "$W/heap.err" | tr '\n' ' ')"
block() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" $c.txt | grep -v '^```'; }
{ block plan | sed 's|^|// plan: |'; block cuda; } >"$W/alone/heap/v01.cu"
cp $c.c "$W/alone/heap/ref.c"
cat >"$W/alone/heap/problem.json" <<'J'
{"name": "heap", "function": "depths", "args": ["n", "depth", "next"], "sizes": {"n": 1000000},
 "small_sizes": {"n": 1000}, "tolerance": 0,
 "buffers": [{"name": "depth", "type": "int", "extent": "n", "role": "out"},
             {"name": "next", "type": "int", "extent": "n", "role": "out"}]}
J
timeout 100 "$BUILD/regraph-worker" --kernels "$W/alone" --no-verify >"$W/alone.json" 2>"$W/alone.err" </dev/null
a=$(sed -n 's/.*"estimate_us": \([0-9.e+]*\).*/\1/p' "$W/alone.json" | head -n 1); b=$(us heap)
awk -v a="$a" -v b="$b" 'BEGIN { b *= 1000; exit !(a > 0 && b > a / 1.5 && b < a * 1.5) }'
say $? rounds-alone "alone $a us, in the search $b ms; $(head -c 300 "$W/alone.err")"
# and so is the built-in coder's, which had seconds for its loop of at most n rounds
timeout 100 "$BUILD/regraph-search" $c.c --coder poly --device sim:h200 --graph graphs/cuda.json --no-learn --evals 10 \
    --json --out "$W/poly" >"$W/poly.json" 2>"$W/poly.err" </dev/null
b=$(us poly); awk -v a="$a" -v b="$b" 'BEGIN { exit !(b > 0 && b * 1000 < 5 * a) }'
say $? rounds-of-poly "$b ms; the kernel written by hand $a us"
exit $bad
