#!/usr/bin/env bash
# What a run costs is said of code without a tree, too, and of loops whose ends only data know: sizes for the simulated device are small ones, and the
# time of the C at the timed size is what it is at small ones by as much more as there is to do. One that ends long before its bounds allow is timed.
# test-deadline: 300
set -u
S=$(realpath "$BUILD")/regraph-search; G=$PWD/graphs/cuda.json
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
bad=0
cat >rows.c <<'C'
#include <math.h>
#include <stdlib.h>
int orthogonal(int m, int n, double *a)
{
    double **row = malloc(m * sizeof *row);
    if (!row) return -1;
    for (int i = 0; i < m; i++) row[i] = a + (size_t)i * n;
    for (int k = 0; k < n; k++) {
        double s = 0;
        for (int i = 0; i < m; i++) s += row[i][k] * row[i][k];
        s = 1 / sqrt(s);
        for (int i = 0; i < m; i++) row[i][k] *= s;
        for (int j = k + 1; j < n; j++) {
            double d = 0;
            for (int i = 0; i < m; i++) d += row[i][k] * row[i][j];
            for (int i = 0; i < m; i++) row[i][j] -= d * row[i][k];
        }
    }
    free(row);
    return 0;
}
C
cat >runs.c <<'C'
long runs(const unsigned char *src, long n, unsigned char *dst)
{
    const unsigned char *p = src, *end = src + n;
    unsigned char *q = dst;
    while (p < end) {
        const unsigned char *r = p + 1;
        while (r < end && *r == *p && r - p < 255) r++;
        *q++ = (unsigned char)(r - p);
        *q++ = *p;
        p = r;
    }
    return q - dst;
}
C
cat >converges.c <<'C'
#include <math.h>
int converges(int n, int most, const double *b, double *x)
{
    int it;
    for (int i = 0; i < n; i++) x[i] = 0;
    for (it = 1; it <= most; it++) {
        double change = 0, mean = 0;
        for (int i = 0; i < n; i++) mean += x[i];
        mean /= n;
        for (int i = 0; i < n; i++) {
            double y = 0.25 * mean + b[i];
            change += fabs(y - x[i]);
            x[i] = y;
        }
        if (change < 1e-9 * n) break;
    }
    return it > most ? most : it;
}
C
"$S" rows.c --size m=480,n=240 --extent 'a: m*n' --graph "$G" --device sim:h200 --explain >rows.txt 2>&1
if grep -q 'm=480, n=240  timed verified about' rows.txt; then echo "ok text"; else
    echo "not ok text: the timed size is simulated: $(grep -m1 timed rows.txt)"; bad=1; fi
"$S" runs.c --size n=8000000 --extent 'src: n' --extent 'dst: 2*n' --input 'src=uniform(0, 3)' --graph "$G" --device sim:h200 --no-learn --evals 1 --json --out out >runs.json 2>runs.err </dev/null
ms=$(grep -m1 -oE '"sequential_ms": [0-9.]+' runs.json | grep -oE '[0-9.]+$')
if [ "$(printf '%.0f' "${ms:-99999}")" -lt $((2000 * ${SLOW:-1})) ]; then echo "ok runs"; else
    echo "not ok runs: ${ms:-?} ms for the C: $(tail -n 1 runs.err)"; bad=1; fi
"$S" converges.c --size n=100000,most=100000 --size n=500,most=3 --size n=90,most=3 --input 'b=uniform(0, 1)' --graph "$G" --device sim:h200 --no-learn --evals 2 --json --out converges >converges.json 2>converges.err </dev/null
if grep -q '"sequential_how": "measured"' converges.json; then echo "ok converges"; else
    echo "not ok converges: $(grep -m1 sequential_how converges.json) $(tail -n 1 converges.err)"; bad=1; fi
exit $bad
