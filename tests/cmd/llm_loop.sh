#!/usr/bin/env bash
# A scripted model that knows good kernels (tests/llm/solved/*/rules; replies written by hand, served over a real socket) makes the
# loop solve six files that poly can't, each through at least three steps, on the simulated device; what is exported compiles.
# test-deadline: 400
set -u
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
unset OPENAI_API_KEY
bad=0
say() { if [ "$1" -eq 0 ]; then echo "ok $2"; else echo "not ok $2: $3"; bad=1; fi; }
NVCC=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
SERVE=$BUILD/tests/llm/make_record
# The longest chain of verified candidates in a journal.
depth() {
    awk '/"line":"action"/ { match($0, /"a":[0-9]+/); a = substr($0, RSTART + 4, RLENGTH - 4); match($0, /"parent":[0-9]+/); parent[a] = substr($0, RSTART + 9, RLENGTH - 9) }
         /"line":"result"/ && /"outcome":"ok"/ && match($0, /"a":[0-9]+/) { a = substr($0, RSTART + 4, RLENGTH - 4); match($0, /"node":[0-9]+/); n = substr($0, RSTART + 7, RLENGTH - 7)
             if (n != parent[a] && d[parent[a]] + 1 > d[n]) d[n] = d[parent[a]] + 1; if (d[n] > max) max = d[n] }
         END { print max + 0 }' "$1"
}
solve() { # name, file, folder of replies
    timeout 180 "$SERVE" "$3" "$W/$1.record" scripted "$BUILD/regraph-search" "$2" --coder llm --llm-model scripted --device "${DEVICE:-sim:h200}" \
        --graph graphs/cuda.json --no-learn --policy refine --evals 14 --llm-tries 8 --json --out "$W/$1" >"$W/$1.json" 2>"$W/$1.err" </dev/null
    rc=$?
    [ $rc -le 1 ]; say $? "$1-solved" "exit $rc: $(grep -v evaluations "$W/$1.err" | tail -n 2 | tr '\n' ' ')"
    n=$(depth "$W/$1/journal.jsonl"); [ "$n" -ge 3 ]; say $? "$1-three-steps" "the longest verified chain has $n steps"
    if [ -z "$NVCC" ]; then echo "skip $1-compiles (no nvcc)"; return; fi
    "$NVCC" -c -arch=sm_90 -o /dev/null "$W/$1/best.cu" >"$W/$1.nvcc" 2>&1; say $? "$1-compiles" "$(head -n 3 "$W/$1.nvcc" | tr '\n' ' ')"
}
solve bfs examples/bfs.c tests/llm/bfs
for p in histogram spmv align options kmeans; do solve $p tests/llm/solved/$p/$p.c tests/llm/solved/$p; done
# the histogram's model first sends code that does not compile, races, leaves its arrays and hangs
for o in compile race bounds timeout; do grep -q "\"outcome\":\"$o\"" "$W/histogram/journal.jsonl"; say $? "survives-$o" "no such outcome"; done
exit $bad
