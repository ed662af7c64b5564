#!/usr/bin/env bash
# Makes examples/bfs.replay.jsonl again from the hand-written replies beside this file: after a change of prompts, graph, example
# or search that makes tests/cmd/llm_replay.sh say that the record holds no answer.
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
# the compiler of the build that is there, if there is one
CC=${CC:-$(sed 's/ -std=c11.*//' "$BUILD/flags" 2>/dev/null || echo cc)}
make --no-print-directory BUILD="$BUILD" CC="$CC" "$BUILD/regraph-search" "$BUILD/regraph-worker" "$BUILD/tests/llm/make_record"
out=$(mktemp -d); trap 'rm -rf "$out"' EXIT
record=examples/bfs.replay.jsonl
"$BUILD/tests/llm/make_record" tests/llm/bfs "$out/record" 'The replies of this record were written by hand (tests/llm/bfs); no model was asked.' \
    "$BUILD/regraph-search" examples/bfs.c --coder llm --llm-model by-hand --device sim:h200 --graph graphs/cuda.json --no-learn \
    --out "$out/bfs" "$@"
mv "$out/record" "$record"
wc -c "$record"
