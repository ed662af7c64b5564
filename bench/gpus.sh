#!/usr/bin/env bash
# How a machine's GPUs share work: one search on one GPU and on all of them (candidates a second, the best kernel at equal candidates), and a suite with one
# search at a time and one a GPU.
#
#   bench/gpus.sh [SECONDS]      SECONDS of each search (10); programs from $BIN, else .bundle where it is there, else build
#
# Prints a table, and the suite's two times. Wants at least two GPUs of one kind.
set -u
cd "$(dirname "$0")/.."
B=${BIN:-$([ -d .bundle ] && echo .bundle || echo build)}; B=$(realpath "$B"); seconds=${1:-10}
[ "$(nvidia-smi -L | wc -l)" -ge 2 ] || { echo 'bench/gpus.sh wants two GPUs' >&2; exit 4; }
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
get() { python3 -c "import json,sys; d = json.load(open(sys.argv[1])); b = d['best'] or {}; print(d['evaluations'], b.get('kernel_ms'))" "$1"; }
echo "problem            GPUs  candidates  a second  ratio  best ms"
one() { # name, words of the command
    name=$1; shift
    for device in cuda:0 cuda:all; do
        t=$(date +%s%N)
        "$B/regraph-search" "$@" --device $device --time "$seconds" --evals 100000 --patience 0 --no-learn --no-compile-cache --graph graphs/cuda.json --json -q --out "$W/$name-$device" >"$W/json" 2>"$W/err" </dev/null ||
            tail -n 1 "$W/err"
        read -r n ms <<<"$(get "$W/json")"
        awk -v name="$name" -v device=$device -v n="$n" -v ms="$ms" -v t=$(($(date +%s%N) - t)) -v was="${rate:-0}" 'BEGIN {
            r = n / (t / 1e9); printf "%-18s %-5s %9d %9.2f  %5s  %s\n", name, device == "cuda:0" ? "1" : "all", n, r, was > 0 ? sprintf("%.2f", r / was) : "", ms; print r >"'"$W"'/rate" }'
        rate=$(cat "$W/rate"); [ $device = cuda:all ] && rate=0
    done
}
one sgemm-1024 examples/sgemm.c --size n=1024
one jacobi-2d examples/polybench/jacobi-2d.c --cflags -DDATA_TYPE=float --size tsteps=500,n=1300
one nbody examples/nbody.c
# a suite: the same problems, one after the other on one GPU, and on all of them
{
    echo '{"defaults": {"evals": 24, "patience": 0, "time": 0, "no-compile-cache": true}, "problem": ['
    first=1
    for f in sgemm softmax transpose gemv spmv conv2d nbody rmsnorm; do [ $first ] || echo ,; first=; printf '{"file": "%s/examples/%s.c"}' "$PWD" $f; done
    echo ']}'
} >"$W/suite.json"
for devices in 0 all; do
    [ $devices = 0 ] && export CUDA_VISIBLE_DEVICES=0 || unset CUDA_VISIBLE_DEVICES
    t=$(date +%s%N)
    "$B/regraph-suite" "$W/suite.json" --graph graphs/cuda.json --no-learn -o "$W/suite-$devices" >"$W/out" 2>"$W/err" </dev/null
    echo "suite of 8, GPUs $devices: exit $?, $((($(date +%s%N) - t) / 1000000)) ms; $(grep -E '^[0-9]+ problems' "$W/out")"
done
