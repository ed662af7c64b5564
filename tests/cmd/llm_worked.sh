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
exit $bad
