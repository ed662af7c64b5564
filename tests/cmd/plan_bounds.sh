#!/usr/bin/env bash
# Bounds of the plan's loops: `c ? a : b` in front of `+ 1`, as isl divides where a loop takes every third row.
set -u
B=$(realpath "$BUILD") graph=$PWD/graphs/cuda.json
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 2
cat >thirds.c <<'C'
#pragma regraph size(n=17) size(n=1) size(n=8) size(n=33) tolerance(rtol=1e-9, atol=1e-11)
double thirds(int n, double A[n + 16][n + 16], double B[n + 16][n + 16], double X[n + 16], double Y[n + 16], const double C[n + 16][n + 16], const double D[n + 16])
{
    double sum = 0;
    for (int i = 0; i < n; i += 3) {
        sum += 0.1 * C[i + 4][i / 2 + 4];
        for (int k = n - 1; k >= 0; k--) {
            for (int m = 0; m < 3; m++) {
                double w[6];
                for (int q = 0; q < 6; q++) w[q] = 0.3 * B[k + 4][k + 4] - 0.2 * X[k + 5] + 0.1 * A[i + 4][m + 4] + 0.1 * D[q + 2];
                A[k + 6][n - 1 - i + 4] = 0.2 * B[k + 4][m + 4] + 0.2 * 0.01 * k - 0.2 * D[m + 4];
            }
            sum += 0.1 * A[k + 4][i % 4 + 4];
            for (int q = 0; q < n; q += 2) Y[i / 2 + 4] = 0.1 * B[k + 4][k % 4 + 4] + 0.3 * A[k + 6][i + 4];
        }
    }
    return sum + X[4];
}
C
"$B/regraph-search" thirds.c --device sim:h200 --apply wavefront@C --no-learn --graph "$graph" --out out -q >log 2>&1 </dev/null; rc=$?
if [ $rc -le 1 ]; then echo "ok plan_bounds-verified"; else echo "not ok plan_bounds-verified: exit $rc, $(head -c 300 log)"; exit 1; fi
