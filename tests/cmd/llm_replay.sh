#!/usr/bin/env bash
# A recorded search (replies written by hand, tests/llm/bfs) solves BFS: no network, no key, the same twice.
# test-deadline: 300
set -u
S=$BUILD/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
unset OPENAI_API_KEY
R=examples/bfs.replay.jsonl
bad=0
say() { if [ "$1" -eq 0 ]; then echo "ok $2"; else echo "not ok $2: $3"; bad=1; fi; }
search() { # folder, further options
    d=$1; shift
    timeout 120 "$S" examples/bfs.c --coder llm --llm-model by-hand --device sim:h200 --graph graphs/cuda.json --no-learn \
        --json --out "$W/$d" "$@" >"$W/$d.json" 2>"$W/$d.err" </dev/null
}
head -n 1 "$R" | grep -q 'written by hand'; say $? "record-is-labelled" "first line does not say so"
search one --llm-replay "$R" --evals 12; rc=$?
[ $rc -le 1 ]; say $? "bfs-replayed" "exit $rc: $(grep -h 'holds no answer' "$W/one.err" | head -n 1)$(tail -n 2 "$W/one.err" | tr '\n' ' ') (a stale record is made again by tests/llm/bfs/make.sh)"
n=$(grep -c '"step":' "$W/one.json"); [ "$n" -ge 2 ]; say $? "bfs-several-steps" "$n steps in the best chain"
n=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["llm"]["accepted"])' "$W/one.json" 2>/dev/null || grep -o '"accepted": *[0-9]*' "$W/one.json" | grep -o '[0-9]*$')
[ "${n:-0}" -ge 2 ]; say $? "verified-steps-are-counted" "$n of the model's steps verified"
search two --llm-replay "$R" --evals 12
cmp -s "$W/one/best.cu" "$W/two/best.cu"; say $? "replays-the-same" "two runs differ"
search miss --llm-replay "$R" --evals 7 --prompts tests/llm/bfs/prompts; rc=$?
[ $rc -eq 5 ] && grep -q 'holds no answer' "$W/miss.err"; say $? "miss-is-exit-5" "exit $rc: $(tail -n 1 "$W/miss.err")"
search down --llm-url http://127.0.0.1:9/v1 --evals 7; rc=$?
[ $rc -eq 5 ]; say $? "service-down-is-exit-5" "exit $rc: $(tail -n 1 "$W/down.err")"
exit $bad
