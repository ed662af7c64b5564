#!/bin/sh
# Estimates of a folder of kernels against their known times: bench/sim_accuracy.sh FOLDER [TIMES.json] [options of regraph-worker --kernels].
# FOLDER as docs/sim.md describes; TIMES.json: FOLDER/h200.json unless given. bench/sim_accuracy.py has the statistics.
set -e
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
folder=$1; shift
times=$folder/h200.json
case ${1:-} in *.json) times=$1; shift ;; esac
out=$(mktemp); trap 'rm -f "$out"' EXIT
"$BUILD/regraph-worker" --kernels "$folder" "$@" >"$out" || echo "not every variant was verified and estimated" >&2
python3 bench/sim_accuracy.py "$out" "$times"
