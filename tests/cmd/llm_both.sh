#!/usr/bin/env bash
# With a model that gets next to nothing right, as small ones do - code that does not compile, races, is unchanged, is prose, or REFUSED - a search ends where the
# built-in coder ends alone after as many evaluations of its own, within 5 %; and calls are under way while it searches.
# test-deadline: 240
set -u
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
unset OPENAI_API_KEY
bad=0
say() { if [ "$1" -eq 0 ]; then echo "ok $2"; else echo "not ok $2: $3"; bad=1; fi; }
SERVE=$BUILD/tests/llm/make_record; S=$BUILD/regraph-search
mkdir "$W/weak"
printf '```cuda\n__global__ void broken(int *p) { undeclared = 1; }\n```\n```plan\nbroken<<<1, 1>>>(nothing);\n```\n' >"$W/weak/broken.txt"
printf '```cuda\n__global__ void stray(int i) { }\n```\n```plan\nstray<<<1, 1>>>(missing);\n```\n' >"$W/weak/plan.txt"
printf 'Use shared memory and fewer barriers; that is usually faster.\n' >"$W/weak/prose.txt"
printf '```cuda\n__global__ void nothing(int i) { }\n```\n```plan\nnothing<<<1, 1>>>(1);\n```\n' >"$W/weak/wrong.txt"
printf 'REFUSED: it makes no sense here.\n' >"$W/weak/decline.txt"
cat >"$W/weak/rules" <<'RULES'
write - broken.txt
improve * wrong.txt
hoist * prose.txt
fast.math * plan.txt
divergence.remove * wrong.txt
grid.sync * broken.txt
* * decline.txt
RULES
best() { sed -n 's/.*"kernel_ms": \([0-9.e-]*\).*/\1/p' "$1" | head -n 1; }
for p in kmeans spmv align; do
    F=tests/llm/solved/$p/$p.c
    run() { n=$1; shift; timeout 120 "$@" "$F" --set ahead=0 --device sim:h200 --graph graphs/cuda.json --no-learn --evals 24 --json --out "$W/$n"; }
    run $p-alone "$S" --coder poly >"$W/$p-alone.json" 2>"$W/err" </dev/null; [ $? -le 1 ]; say $? "$p-alone" "$(tail -n 1 "$W/err")"
    run $p-both "$SERVE" "$W/weak" "$W/$p.record" weak "$S" --llm-model weak --max-calls 30 --llm-in-flight 2 >"$W/$p-both.json" 2>"$W/err" </dev/null; [ $? -le 1 ]; say $? "$p-both" "$(tail -n 1 "$W/err")"
    a=$(best "$W/$p-alone.json"); b=$(best "$W/$p-both.json")
    awk -v a="$a" -v b="$b" 'BEGIN { exit !(a > 0 && b > 0 && b <= 1.05 * a) }'; say $? "$p-no-worse" "alone $a ms, with a weak model $b ms"
    n=$(grep -c '"key"' "$W/$p.record"); [ "$n" -ge 5 ]; say $? "$p-was-asked" "$n requests"
done
exit $bad
