#!/usr/bin/env bash
# The evidence of runs as files of their own: their union is one graph, in any order, however often, from evidence or from journals.
# test-deadline: 240
set -u
B=$(realpath "$BUILD"); R=$PWD
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'; $(head -c 600 said)"; fails=1; fi; }
sum() { sha256sum <"$1" | cut -c1-16; }
cp "$R/graphs/cuda.json" g.json; before=$(sum g.json)
cat >add.c <<'C'
void add(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] += 2 * x[i]; }
C
cat >dot.c <<'C'
void dot(int n, const float *x, const float *y, float *s) { float t = 0; for (int i = 0; i < n; i++) t += x[i] * y[i]; s[0] = t; }
C
run() { "$B/regraph-search" "$1.c" -s n=1048576 --device sim:h200 --graph g.json -q --patience 0 --out "$2" "${@:3}" >said 2>&1 </dev/null; }
run add a1 --evals 6 --evidence a1.json; ok run $? 0
run add a2 --evals 6 --seed 2 --evidence a2.json; ok run-of-another-seed $? 0
run dot d1 --evals 8 --evidence d1.json; ok run-of-another-program $? 0
ok graph-stays "$(sum g.json)" "$before"
ok no-file-is-left "$(ls | grep -c tmp)" 0
[ "$(grep -c '"run"' d1.json)" -gt 0 ]; ok has-rows $? 0

merge() { "$B/regraph-graph" merge g.json "$@" -o merged.json >said 2>&1 || echo failed; sum merged.json; }
union=$(merge a1.json a2.json d1.json)
[ "$union" != "$before" ]; ok union-knows-more $? 0
for i in 1 2 3 4 5; do
    # shellcheck disable=SC2046
    ok "shuffled-with-duplicates-$i" "$(merge $(printf '%s\n' a1.json a2.json d1.json a1.json d1.json | shuf --random-source=<(yes $i)))" "$union"
done
cp g.json step.json
for f in d1 a1 d1 a2 a1; do "$B/regraph-graph" merge step.json $f.json 2>said || echo failed; done
ok one-at-a-time "$(sum step.json)" "$union"
"$B/regraph-replay" a1/journal.jsonl d1/journal.jsonl a2/journal.jsonl --graph g.json -o replayed.json 2>said; ok from-journals "$(sum replayed.json)" "$union"
"$B/regraph-replay" d1.json a2/journal.jsonl a1.json a1/journal.jsonl --graph g.json -o replayed.json 2>said; ok from-both "$(sum replayed.json)" "$union"
# one run told twice, the first time before it went on: the fuller telling stays, whichever comes first
cp a1.json short.json
run add a1 --evals 9 --resume --evidence a1.json; ok goes-on $? 0
fuller=$(merge a1.json)
ok short-then-full "$(merge short.json a1.json)" "$fuller"; ok full-then-short "$(merge a1.json short.json)" "$fuller"
# as if each had learnt for itself
cp g.json own.json
for c in 'add a1 --evals 9' 'add a2 --evals 6 --seed 2' 'dot d1 --evals 8'; do
    # shellcheck disable=SC2086
    set -- $c; "$B/regraph-replay" "$2/journal.jsonl" --graph own.json -o own.json 2>said
done
ok one-after-the-other "$(sum own.json)" "$(merge d1.json a2.json a1.json)"
# 32 at once into one graph, each with a run of its own: nothing is lost
cp g.json all.json; cp g.json one-by-one.json
for i in $(seq 32); do sed "s/\"run\": *\"[^\"]*\"/\"run\": \"learner$i\"/" d1.json >l$i.json; done
for i in $(seq 32); do "$B/regraph-graph" merge all.json l$i.json 2>>said & done; wait
"$B/regraph-graph" merge one-by-one.json l*.json 2>>said
ok thirty-two-at-once "$(sum all.json)" "$(sum one-by-one.json)"
ok thirty-two-runs "$(grep -oE 'learner[0-9]+' all.json | sort -u | wc -l)" 32
# a first run of each on one home: the copy of the graph that one makes is no other's to overwrite
export XDG_DATA_HOME=$W/shared
for i in $(seq 6); do "$B/regraph-search" add.c -s n=1048576 --device sim:h200 -q --evals 2 --seed "$i" --out first$i >first$i.txt 2>&1 </dev/null & done; wait
ok first-runs-all-learnt "$(cat first*/journal.jsonl | grep -oE '"run":"[0-9a-f]{16}"' | sort -u | grep -oE '[0-9a-f]{16}' | while read -r r; do grep -c "$r" shared/regraph/cuda.json; done | grep -vc '^0')" 6
echo '{"format": "regraph-evidence/1", "rows": [{"from": "@start"}]}' >bad.json
"$B/regraph-graph" merge g.json bad.json -o x.json >said 2>&1; ok bad-evidence $? 3; grep -q 'bad.json' said; ok bad-evidence-said $? 0
run add a3 --evals 4 --evidence nowhere/e.json; grep -q 'evidence was not kept' said; ok cannot-be-written-said $? 0
exit $fails
