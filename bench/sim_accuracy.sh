#!/bin/sh
# Builds and runs sim_accuracy: bench/sim_accuracy.sh FOLDER [--verify|--check] [--counters] [--json] [--only PROBLEM/vNN] [--device NAME].
# FOLDER has the format of shared/kernels (h200.json, PROBLEM/problem.json, ref.c, vNN.cu). Exit 0 when every variant ran.
set -e
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
${MAKE:-make} --no-print-directory BUILD="$BUILD" "$BUILD/libruntime.a" "$BUILD/libbase.a" >&2
mkdir -p "$BUILD/bench"
if [ ! "$BUILD/bench/sim_accuracy" -nt bench/sim_accuracy_json.c ] || [ ! "$BUILD/bench/sim_accuracy" -nt "$BUILD/libruntime.a" ]; then
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wno-unused-parameter -Iinclude -I. $(pkg-config --cflags jansson) \
        bench/sim_accuracy_json.c "$BUILD/libruntime.a" "$BUILD/libbase.a" \
        $(pkg-config --libs jansson libseccomp libpcre2-8 libcrypto) -ldl -lm -lpthread -o "$BUILD/bench/sim_accuracy"
fi
exec "$BUILD/bench/sim_accuracy" "$@"
