#!/usr/bin/env bash
# --baseline-threads: a figure of its own where the C has OpenMP pragmas, a plain word where it has none or cannot be timed.
set -u
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
check() { if eval "$2"; then echo "ok $1"; else echo "not ok $1"; tail -n 5 "$W/$n.err"; cat "$W/$n.txt"; fi; }
search() { # name, file, options
    n=$1 file=$2; shift 2; regraph-search "$file" --device sim:h200 --no-learn --evals 1 -q --out "$W/$n" "$@" >"$W/$n.txt" 2>"$W/$n.err" </dev/null; rc=$?; }
cat >omp.c <<'C'
#include <math.h>
#define PARALLEL _Pragma("omp parallel for")
void f(int n, const float *x, float *y)
{
    PARALLEL
    for (int i = 0; i < n; i++) y[i] = sqrtf(x[i] * x[i] + 1.0f);
}
C
cat >spaced.c <<'C'
void g(int n, const float *x, float *y)
{
  #  pragma	omp parallel for schedule(static)
    for (int i = 0; i < n; i++) y[i] = 2.0f * x[i];
}
C
echo 'void h(int n, const float *x, float *y) { /* #pragma omp parallel for */ for (int i = 0; i < n; i++) y[i] = 2.0f * x[i]; }' >plain.c
search figure omp.c --size n=1000000 --baseline-threads 2
check figure '[ $rc -eq 0 ] && grep -qE "^    2 threads [0-9.]+ (us|ms) with OpenMP" figure.txt && grep -q "^  sequential" figure.txt'
check certificate 'grep -A2 "\"openmp\"" figure/certificate.json | grep -q "\"threads\": 2"'
search json omp.c --size n=1000000 --baseline-threads 3 --json
check json 'python3 -c "import json; b = json.load(open(\"json.txt\"))[\"baseline_threads\"]; assert b[\"threads\"] == 3 and b[\"ms\"] > 0" 2>/dev/null || grep -A2 "\"baseline_threads\"" json.txt | grep -qE "\"ms\": [0-9.]+"'
search spaces spaced.c --size n=100000 --baseline-threads 2
check spaces 'grep -qE "^    2 threads" spaces.txt'
search plain plain.c --size n=100000 --baseline-threads 8
check no-pragmas '[ $rc -eq 0 ] && grep -q "the C has no OpenMP pragmas: it stays at one thread" plain.txt && grep -A1 "\"openmp\"" plain/certificate.json | grep -q "\"threads\": 0"'
search not-asked omp.c --size n=100000 --json
check not-asked 'grep -q "\"baseline_threads\": null" not-asked.txt && ! grep -q OpenMP not-asked.txt'
# a compiler that knows no OpenMP: said, and the search goes on
cat >cc-without <<'S'
#!/bin/sh
for a; do [ "$a" = -fopenmp ] && { echo "cc: error: unrecognized option -fopenmp" >&2; exit 1; }; done
exec cc "$@"
S
chmod +x cc-without
CC=$W/cc-without search without omp.c --size n=100000 --baseline-threads 2
check compiler-without '[ $rc -eq 0 ] && grep -q "^  threads     not timed: .*fopenmp" without.txt'
if command -v clang >/dev/null && echo 'int main(void){return 0;}' | clang -fopenmp -x c - -o t 2>/dev/null && ./t; then
    CC=clang search clang omp.c --size n=1000000 --baseline-threads 2
    check clang '[ $rc -eq 0 ] && grep -qE "^    2 threads [0-9.]+ (us|ms) with OpenMP" clang.txt'
else
    echo "skip clang (it has no OpenMP here)"
fi
