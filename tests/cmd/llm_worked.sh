#!/usr/bin/env bash
# The worked examples of the prompts (llm/prompts/until-stable.txt and others) are right: as a model's reply to the C that they speak of (tests/llm/worked)
# each compiles, fits its plan and verifies.
# test-deadline: 300
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
# the model is told how many rounds the C itself goes: each lowers the next level of a heap of 2^19 .. 2^20 - 1 places
grep -q '`for (int r = 0; r < n; r++)`: when timed, the C goes 20 rounds of this loop' "$W/heap.record"
say $? rounds-told "$(grep -o '[^\\]*: when timed, [^\\]*rounds[^\\]*' "$W/heap.record" | head -n 1)"
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
# Replies that were written from the request alone, in what a model would use of the plan language: each verifies as it stands, and its numbers are tuned.
first() { # reply, C file
    c=tests/llm/worked/first; r=$1; mkdir -p "$W/first-$r"
    cp "$c/$r.txt" "$W/first-$r/"; printf 'write - %s.txt\n* * %s.txt\n' "$r" "$r" >"$W/first-$r/rules"
    timeout 60 "$BUILD/tests/llm/make_record" "$W/first-$r" "$W/first-$r.record" worked "$BUILD/regraph-search" "$c/$2.c" --coder llm --llm-model worked \
        --device sim:h200 --graph graphs/cuda.json --no-learn --evals 2 --max-calls 1 --out "$W/first-$r/out" >/dev/null 2>"$W/first-$r.err" </dev/null
    n=$(grep -c '"line":"eval".*"outcome":"ok"' "$W/first-$r/out/journal.jsonl"); m=$(grep -c '"line":"eval"' "$W/first-$r/out/journal.jsonl")
    [ "$n" -eq 2 ] && [ "$m" -eq 2 ]
    say $? "first-$r" "$n of $m: $(grep -o '"outcome":"[a-z]*","message":"[^"]*"' "$W/first-$r/out/journal.jsonl" | head -n 1) $(tail -n 1 "$W/first-$r.err")"
}
first k_core k_core; first k_core_cooperative k_core; first affine_gaps affine_gaps; first red_black red_black
# of the C a request has what it takes to write them: the macro that a macro names, and of a loop that it is parallel but for a maximum
grep -q '#define SOLID 1' "$W/first-red_black.record" && grep -q '`for (int i = 1; i < ny - 1; i++)`: parallel but for a reduction (max) to change' "$W/first-red_black.record"
say $? first-is-told "$(grep -o 'for (int i = 1; [^:]*: [^\\]*' "$W/first-red_black.record" | head -n 1)"
# A race that nobody runs into at the smallest size is told as that, and not only by what comes of it at the next.
mkdir -p "$W/race"
printf 'void sums(int n, const int x[n], int s[5])\n{\n    for (int k = 0; k < 5; k++) s[k] = 0;\n    for (int i = 0; i < n; i++) s[i %% 5] += x[i];\n}\n' >"$W/race/sums.c"
printf '```cuda\n__global__ void zero(int *s) { s[threadIdx.x] = 0; }\n__global__ void add(const int *x, int *s, int n)\n{\n    int i = blockIdx.x * 256 + threadIdx.x;\n    if (i < n) s[i %% 5] += x[i];\n}\n```\n```plan\nzero<<<1, 5>>>(s);\nadd<<<ceil_div(n, 256), 256>>>(x, s, n);\n```\n' >"$W/race/sums.txt"
printf 'write - sums.txt\n* * sums.txt\n' >"$W/race/rules"
timeout 60 "$BUILD/tests/llm/make_record" "$W/race" "$W/race.record" worked "$BUILD/regraph-search" "$W/race/sums.c" \
    --size n=100000 --size n=9 --size n=4 --coder llm --llm-model worked --device sim:h200 --graph graphs/cuda.json --no-learn \
    --evals 1 --max-calls 1 --out "$W/race/out" >/dev/null 2>&1 </dev/null
grep -q '"outcome":"race","message":"kernel add, line 5.*(at n=9)"' "$W/race/out/journal.jsonl"
say $? race-beyond-the-smallest "$(grep -o '"outcome":"[a-z]*","message":"[^"]*"' "$W/race/out/journal.jsonl" | head -n 1)"
exit $bad
