#!/bin/bash
# run.sh FILE OPTS
f=$1; shift
export XDG_DATA_HOME=/tmp/a/data
cd /work/wt/a
timeout 120 build/regraph-search /tmp/a/$f.c --device sim:h200 --graph graphs/cuda.json --no-learn --evals 16 --json --out /tmp/a/out/$f --force "$@" >/tmp/a/$f.json 2>/tmp/a/$f.err </dev/null
echo "$f rc=$? $(grep -E '"(parallel|most_threads|outcomes|speedup[a-z_]*)"' /tmp/a/$f.json | tr -d '\n') $(tail -n1 /tmp/a/$f.err | cut -c1-300)"
