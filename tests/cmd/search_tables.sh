#!/usr/bin/env bash
# The search replayed on the recorded tables, some thousands of runs: it must stay well ahead of a random walk, a program's own experience must help,
# and what other programs taught must not harm, whichever of them taught.
# test-deadline: 120
set -u
bad=0
say() { if [ "$1" -eq 0 ]; then echo "ok $2"; else echo "not ok $2: $3"; bad=1; fi; }
below() { awk -v x="$1" -v y="$2" 'BEGIN { exit !(x > 0 && x <= y) }'; }
for set in tune held; do
    out=$("$BUILD/search-tables" --graph graphs/cuda.json --seeds 20 --draws 5 --policies mcgs,random,learnt,shuffled bench/search_tables/tables/$set/*.json) || { echo "not ok $set-runs"; exit 1; }
    figure() { echo "$out" | awk -v name="$1" '/^all /{all = 1} all && $1 == name {print $2}'; }
    mcgs=$(figure mcgs); random=$(figure random); learnt=$(figure learnt); shuffled=$(figure shuffled)
    worst=$(echo "$out" | sed -n 's/^taught by others.*draw of teachers://p' | tr ' ' '\n' | sort -g | tail -n 1)
    below "$mcgs" "$(awk "BEGIN {print 0.45 * $random}")"; say $? "$set-ahead-of-random" "$mcgs evaluations against $random"
    below "$learnt" "$(awk "BEGIN {print 0.25 * $mcgs}")"; say $? "$set-own-experience" "$learnt evaluations against $mcgs"
    below "$worst" 1.05; say $? "$set-taught-by-others" "$worst times the evaluations of an untaught search"
    below "$(awk "BEGIN {print 0.97 * $mcgs}")" "$shuffled"; say $? "$set-shuffled" "$shuffled evaluations, $mcgs untaught: evidence on wrong edges helps"
done
# The same on some of the recorded worlds, taught by other families; all of them: make world-figures.
played=(bench/search_tables/worlds/held/{atax,gesummv,jacobi2d-0,mvt-0,symm,syrk-1}.json.xz)
out=$("$BUILD/search-tables" --graph graphs/cuda.json --seeds 6 --draws 2 --policies mcgs,random,learnt "${played[@]}" \
    --teachers bench/search_tables/worlds/tune/{bmm-1,lu-0,scan-1,sgemm-2,softmax-0}.json.xz) || { echo "not ok world-runs"; exit 1; }
mcgs=$(figure mcgs); random=$(figure random); learnt=$(figure learnt)
worst=$(echo "$out" | sed -n 's/^taught by others.*draw of teachers://p' | tr ' ' '\n' | sort -g | tail -n 1)
below "$mcgs" "$(awk "BEGIN {print 0.75 * $random}")"; say $? worlds-ahead-of-random "$mcgs evaluations against $random"
below "$learnt" "$(awk "BEGIN {print 0.6 * $mcgs}")"; say $? worlds-own-experience "$learnt evaluations against $mcgs"
below "$worst" 1.15; say $? worlds-taught-by-others "$worst times the evaluations of an untaught search"
stays=$("$BUILD/search-tables" --graph graphs/cuda.json --seeds 6 --policies mcgs --set ahead=0 --set tune_hope=1000000 bench/search_tables/worlds/tune/conv2d-1.json.xz | awk '/^  mcgs .*mean/ {print $5}')
leaves=$("$BUILD/search-tables" --graph graphs/cuda.json --seeds 6 --policies mcgs --set ahead=0 bench/search_tables/worlds/tune/conv2d-1.json.xz | awk '/^  mcgs .*mean/ {print $5}')
below "$leaves" "$(awk "BEGIN {print 0.8 * $stays}")"; say $? leaves-what-gains-nothing "$leaves evaluations, $stays where tuning in vain is not held against it"
# Candidates made ahead of measuring, on every sixth world of the tuning side: fewer evaluations, and the first tells most.
some=$(find bench/search_tables/worlds/tune -name '*.xz' | sort | awk 'NR % 6 == 1')
ahead() { # [--set NAME=VALUE]
    # shellcheck disable=SC2086
    "$BUILD/search-tables" --graph graphs/cuda.json --seeds 4 --policies mcgs "$@" $some | awk '/^all /{all = 1} all && $1 == "mcgs" {print $2}'
}
with=$(ahead) without=$(ahead --set ahead=0)
below "$with" "$(awk "BEGIN {print 0.75 * $without}")"; say $? made-ahead "$with evaluations, $without where nothing is made ahead"
# A graph that worlds have taught: evidence of the built-in coder, a shard a world, which is not made twice; the graph it began with is as it was.
taught=$(mktemp -d)
teach() { BIN=$BUILD TEACHERS="bench/search_tables/worlds/tune/scan-0.json.xz bench/search_tables/worlds/tune/lu-1.json.xz" bench/search_tables/teach.sh "$taught/g.json" >"$taught/log" 2>&1; }
before=$(sha256sum graphs/cuda.json)
teach && python3 -c 'import json, sys; rows = [r for e in json.load(open(sys.argv[1]))["edges"] for r in e.get("evidence", [])]; sys.exit(len({r["class"] for r in rows if r["coder"] == "poly"}) != 2)' "$taught/g.json"; say $? taught "$(tail -n 3 "$taught/log")"
shards=$(stat -c %y "$taught"/g.json.shards/*.json)
teach && [ "$shards" = "$(stat -c %y "$taught"/g.json.shards/*.json)" ] && [ "$before" = "$(sha256sum graphs/cuda.json)" ]; say $? taught-again "a shard was made again, or the shipped graph changed"
rm -rf "$taught"
# What makes figures of it, and a picture; what is played is kept, and taken up again.
figures=$(mktemp -d)
BIN=$BUILD bench/search_tables/world_figures.py --set tune --only '^lu-1' --seeds 2 --draws 0 --svg "$figures/p.svg" >"$figures/md" 2>&1; say $? figures "$(tail -n 2 "$figures/md")"
grep -q '^| mcgs against random | [0-9.]* |' "$figures/md" && grep -q '^| no draft model | ' "$figures/md" && grep -q '<polyline' "$figures/p.svg"; say $? figures-rows "$(head -n 5 "$figures/md")"
resumed() { BIN=$BUILD bench/search_tables/world_figures.py --set tune --only '^scan-0' --seeds 2 --draws 0 --runs "$figures/runs" "$@" >"$figures/md" 2>&1; }
resumed --seconds 0.001; [ $? -eq 75 ]; say $? figures-ended "$(tail -n 2 "$figures/md")"
resumed && [ -s "$figures/runs" ] && [ ! -e "$figures/runs.parts" ] && grep -q '^| nothing made ahead of measuring | ' "$figures/md"; say $? figures-resumed "$(tail -n 2 "$figures/md")"
rm -rf "$figures"
# The worlds to be recorded: at least 60, each of a file that is there, no family on both sides, few that one reduction may solve.
worlds=bench/search_tables/worlds.txt
awk '!/^#/ { n++; if (side[$2] && side[$2] != $1) bad = 1; side[$2] = $1; if (named[$3]++ || NF != 5) bad = 1; few += $2 == "reduction" || $2 == "vector-product" }
    END { exit !(n >= 60 && !bad && 4 * few <= n) }' "$worlds"; say $? worlds "$worlds breaks its own rules"
grep -v '^#' "$worlds" | while read -r _ _ _ file _; do [ -f "$file" ] || exit 1; done; say $? world-files "a file that $worlds names is not there"
# Recording: what is there is kept, a table comes packed, knows draft costs, and is played; one that came to nothing is named.
recorded=$(mktemp -d)
EVALS=24 BIN=$BUILD bench/search_tables/worlds.sh "$recorded" saxpy-0 >"$recorded/log" 2>&1; say $? world-recorded "$(tail -n 3 "$recorded/log")"
before=$(stat -c %Y%s "$recorded/tune/saxpy-0.json.xz")
EVALS=24 BIN=$BUILD bench/search_tables/worlds.sh "$recorded" saxpy-0 >>"$recorded/log" 2>&1
[ "$before" = "$(stat -c %Y%s "$recorded/tune/saxpy-0.json.xz")" ]; say $? world-kept "a recorded world was recorded again"
xz -dc "$recorded/tune/saxpy-0.json.xz" | grep -q '"drafts":\[\[[0-9]'; say $? world-drafts "the table has no draft costs"
"$BUILD/search-tables" --graph graphs/cuda.json --seeds 2 --policies mcgs "$recorded/tune/saxpy-0.json.xz" | grep -q '^  mcgs .*reached 2/2'; say $? world-played "no search found the table's best"
BIN=/nowhere bench/search_tables/worlds.sh "$recorded" dot-0 >>"$recorded/log" 2>&1; [ $? -ne 0 ] && grep -q '^dot-0: ' "$recorded/failed.txt"; say $? world-failed "a world that came to nothing is not named"
rm -rf "$recorded"
"$BUILD/search-tables" --graph graphs/cuda.json --set nothing=1 bench/search_tables/tables/tune/transpose.json >/dev/null 2>&1; [ $? -ne 0 ]; say $? unknown-constant "it was taken"
exit $bad
