#!/bin/sh
# Builds and runs sim_speed: bench/sim_speed.sh [FOLDER] [--only PROBLEM/vNN] [--ms N]; FOLDER defaults to ../shared/kernels.
# RG_SIM_ISA=sse2|avx2|avx512 chooses the instruction set.
set -e
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
${MAKE:-make} --no-print-directory BUILD="$BUILD" "$BUILD/libruntime.a" "$BUILD/libbase.a" >&2
mkdir -p "$BUILD/bench"
${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wno-unused-parameter -Iinclude -I. $(pkg-config --cflags jansson) \
    bench/sim_speed.c "$BUILD/libruntime.a" "$BUILD/libbase.a" \
    $(pkg-config --libs jansson libseccomp libpcre2-8 libcrypto) -ldl -lm -lpthread -o "$BUILD/bench/sim_speed"
case ${1:-} in "" | -*) set -- ../shared/kernels "$@" ;; esac
exec "$BUILD/bench/sim_speed" "$@"
