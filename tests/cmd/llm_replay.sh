#!/usr/bin/env bash
# A recorded search (replies written by hand, tests/llm/bfs) solves BFS, which poly can't: no network, no key, the same twice.
# test-deadline: 300
set -u
S=$PWD/$BUILD/regraph-search
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
search one --llm-replay "$R"; rc=$?
say $rc "bfs-replayed" "exit $rc: $(tail -n 3 "$W/one.err" | tr '\n' ' ')"
grep -q 'balance.queue' "$W/one.json"; say $? "bfs-several-steps" "best chain: $(grep -o '"steps":.*' "$W/one.json" | head -c 200)"
grep -q 'holds no answer' "$W/one.err" "$W/one/journal.jsonl" 2>/dev/null; say $((! $?)) "record-is-complete" "$(grep -ho 'the record holds no answer[^"]*' "$W/one.err" "$W/one/journal.jsonl" | head -n 1); run tests/llm/bfs/make.sh"
search two --llm-replay "$R"
cmp -s "$W/one/best.cu" "$W/two/best.cu"; say $? "replays-the-same" "two runs differ"
search miss --llm-replay "$R" --evals 7 --seed 2 --prompts tests/llm/bfs/prompts; rc=$?
[ $rc -eq 5 ] && grep -q 'holds no answer' "$W/miss.err"; say $? "miss-is-exit-5" "exit $rc: $(tail -n 1 "$W/miss.err")"
exit $bad
