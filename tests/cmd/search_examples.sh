#!/usr/bin/env bash
# Every example is solved on the simulated device: verified, exported, enough threads at the timed size.
# test-deadline: 1500
set -u
S=$(realpath "$BUILD")/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
bad=0
for f in examples/*.c; do
    n=$(basename "$f" .c)
    [ -f "examples/$n.replay.jsonl" ] && continue # a model's: llm_replay.sh
    timeout $((300 * ${SLOW:-1})) "$S" "$f" --device sim:h200 --evals 12 --patience 0 --json --out "$W/$n" >"$W/$n.json" 2>"$W/$n.err" </dev/null; rc=$?
    threads=$(grep -m1 '"threads"' "$W/$n.json" | grep -oE '[0-9.]+' | head -1)
    if [ $rc -ne 0 ]; then echo "not ok $n: exit $rc: $(tail -n 3 "$W/$n.err" | tr '\n' ' ')"; bad=1
    elif ! [ -s "$W/$n/best.cu" ]; then echo "not ok $n: no best.cu"; bad=1
    elif [ "$(printf '%.0f' "${threads:-0}")" -lt 10000 ]; then echo "not ok $n: only ${threads:-?} threads"; bad=1
    else echo "ok $n"; fi
done
exit $bad
