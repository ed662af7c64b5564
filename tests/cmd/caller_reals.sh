#!/usr/bin/env bash
# Real scalars that the file itself gives: random inputs stay near them, and that is said; a user's own input wins; no number, no range.
# test-deadline: 240
set -u
S=$(realpath "$BUILD")/regraph-search; G=$PWD/graphs/cuda.json
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
bad=0
cat >relax.c <<'C'
#include <stdio.h>
#define STEPS 40
static float u[500], v[500];
/* u grows without bound where r is more than a half, and where s is 1 */
void relax(int n, int steps, float r, double s, float far, const float *a, float *b)
{
    for (int i = 0; i < n; i++) b[i] = a[i];
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++) b[i] = b[i] + r * (b[i - 1] - 2 * b[i] + b[i + 1]) + (float)(s * b[i]) + far * 0;
}
static void twice(double s)
{
    float dt = 0.5f, dx = 2;
    relax(500, STEPS, dt / (dx * dx), -s, far_away, u, v);
}
int main(void)
{
    twice(0.25);
    twice(0.25);
    printf("%g\n", v[7]);
    return 0;
}
C
sed -i 's/far_away/u[3]/' relax.c
sed 's/    twice(0.25);\n    twice/    twice/' relax.c | awk '/twice\(0.25\)/ && n++ {next} 1' >once.c
check() { if grep -Eq "$2" "$1"; then echo "ok $1: $2"; else echo "not ok $1 lacks: $2"; cat "$1"; bad=1; fi; }
no() { if grep -Eq "$2" "$1"; then echo "not ok $1 has: $2"; cat "$1"; bad=1; else echo "ok $1 without: $2"; fi; }
run() { "$S" "$1" --function relax --size n=500,steps=40 --explain --graph "$G" --device sim:h200 "${@:3}" >"$2" 2>&1; }
run once.c once.out; check once.out 'r from 0\.1125 to 0\.125'; check once.out 's from -0\.25 to -0\.225'; check once.out 'as twice calls it'
no once.out 'far from'
run relax.c two.out; check two.out 'r from 0\.1125 to 0\.125'; no two.out 's from' # called twice: which call is meant cannot be told
run once.c mine.out --input 'r=uniform(0.3,0.4)'; check mine.out 'r: uniform\(0\.3, ?0\.4\)|r.*uniform\(0\.3, ?0\.4\)'
exit $bad
