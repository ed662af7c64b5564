#!/usr/bin/env bash
# Initialisation functions that the file itself calls in front of the function: they are used without being named, what is used is said, and
# where they are of no use inputs are random.
# test-deadline: 120
set -u
S=$(realpath "$BUILD")/regraph-search here=$PWD
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
bad=0
is() { if grep -qF -- "$3" "$2"; then echo "ok $1"; else echo "not ok $1: no '$3' in: $(head -c 1500 "$2")"; bad=1; fi; }
no() { if grep -qF -- "$3" "$2"; then echo "not ok $1: '$3' in: $(head -c 1500 "$2")"; bad=1; else echo "ok $1"; fi; }
run() { out=$1; shift; "$S" "$@" --device sim:h200 --graph "$here/graphs/cuda.json" --no-learn -q --force --out "$W/out" >"$W/$out" 2>&1 </dev/null; echo $? >"$W/$out.rc"; }

run filter tests/whole/found_filter.c --function outline --explain
is "calls two callers above, arrays of the file" "$W/filter" "by paint, gaussian, as process calls them before outline"
run named tests/whole/found_filter.c --function outline --explain --init none
no "none asks for random inputs" "$W/named" "by paint"

run csr tests/whole/gmres.c --function gmres --size A.n=200,max_outer=5 --explain
is "sizes and extents from the braces of a structure" "$W/csr" "A.n=200, A.nnz=1000, max_outer=5  timed"

run spd tests/whole/found_spd.c --function solve --size n=40 --evals 1
is "a matrix that can be factored" "$W/spd" "by make_spd, right_side, as main calls them before solve"
is "is verified" "$W/spd" "verified "

# What cannot be called with what is known here (a stream, the time), and what only reads, is no initialisation.
cat >"$W/other.c" <<'E'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static void seeded(float *x, int n) { srand(time(NULL)); for (int i = 0; i < n; i++) x[i] = rand(); }
static void loaded(FILE *f, float *x, int n) { for (int i = 0; i < n; i++) if (fscanf(f, "%f", &x[i]) != 1) return; }
static void shown(const float *x, int n) { for (int i = 0; i < n; i++) printf("%g\n", x[i]); }
void scale(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = 2 * x[i] + 1; }
int main(void)
{
    int n = 200000;
    float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    seeded(x, n);
    loaded(stdin, x, n);
    shown(x, n);
    scale(x, y, n);
    return y[0] > 0;
}
E
run other "$W/other.c" --function scale --explain
no "no clock, no stream, nothing that reads" "$W/other" "inputs by"

# Places that only later code would have set: the C ends there, so that random inputs take their place.
cat >"$W/unset.c" <<'E'
static double x[60000], y[60000];
static int at[60000];
static void clear(int n) { for (int i = 0; i < n; i++) at[i] = -1000000000; }
void gather(int n) { for (int i = 0; i < n; i++) y[i] = 2 * x[at[i]]; }
int main(void) { clear(60000); for (int i = 0; i < 60000; i++) at[i] = 59999 - i; gather(60000); return y[3] != 2; }
E
run unset "$W/unset.c" --function gather --evals 1
is "inputs that end the C are left" "$W/unset" "random: with what clear makes of them"
is "and others verify" "$W/unset" "verified "

# With fewer rows than columns there is no such basis: a size that nobody asked for is left out, and said.
cat >"$W/basis.c" <<'E'
#include <math.h>
#include <stdlib.h>
static void fill(int m, int n, double a[m][n]) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) a[i][j] = i * j % m / (double)m * 100 + 10; }
void basis(int m, int n, double a[m][n], double q[m][n])
{
    for (int k = 0; k < n; k++) {
        double s = 0;
        for (int i = 0; i < m; i++) s += a[i][k] * a[i][k];
        s = sqrt(s);
        for (int i = 0; i < m; i++) q[i][k] = a[i][k] / s;
        for (int j = k + 1; j < n; j++) {
            double r = 0;
            for (int i = 0; i < m; i++) r += q[i][k] * a[i][j];
            for (int i = 0; i < m; i++) a[i][j] -= q[i][k] * r;
        }
    }
}
int main(void)
{
    int m = 60, n = 67;
    double(*a)[n] = malloc(m * sizeof *a), (*q)[n] = malloc(m * sizeof *q);
    fill(m, n, a);
    basis(m, n, a, q);
    return 0;
}
E
run basis "$W/basis.c" --function basis --size m=60,n=67 --evals 1
is "a size without a reference is left out" "$W/basis" "not at m=1"
is "the others verify" "$W/basis" "verified "
# main is run as without arguments of the command line, which it must not take for granted.
cat >"$W/shell.c" <<'E'
#include <stdio.h>
float x[4096], y[4096];
int n;
void scale(void) { for (int i = 0; i < n; i++) y[i] = x[i] * 2 + 1; }
int main(int argc, char *argv[])
{
    FILE *f = argc > 1 ? fopen(argv[1], "r") : stdin;
    n = 3000;
    for (int i = 0; i < n; i++) x[i] = i * 0.25f;
    return f && argv[0][0] == 0 && argc > 2 ? fclose(f) : 0;
}
E
run shell "$W/shell.c" --function scale --init main --evals 1
[ "$(cat "$W/shell.rc")" -le 1 ] || bad=1
no "argc is 1" "$W/shell" "regraph-search: "
sed 's/argc > 1 ? fopen(argv\[1\], "r") : stdin/fopen(argv[1], "r")/; s/ && argc > 2//' "$W/shell.c" >"$W/words.c"
run words "$W/words.c" --function scale --init main --evals 1
is "arguments are not taken for granted" "$W/words" "without asking how many there are"

# Sizes at which an initialisation function turns back, before it sets anything up, are none to verify at.
cat >"$W/door.c" <<'E'
#include <stdlib.h>
static int L, n;
static double *v;
int lattice_open(int l, double scale)
{
    if (l < 4 || l > 4000 || l % 4) return -1;
    if ((l & (l - 1)) != 0) return -2;
    L = l;
    n = l * l;
    v = malloc(sizeof *v * n);
    for (int i = 0; i < n; i++) v[i] = scale * i;
    return 0;
}
void lattice_step(double *out) { for (int i = 0; i < n; i++) out[i] = v[i] + 0.5 * v[n - 1 - i]; }
int main(void)
{
    if (lattice_open(512, 0.5)) return 1;
    double *o = malloc(sizeof *o * n);
    lattice_step(o);
    return o[3] > 2;
}
E
run door "$W/door.c" --function lattice_step --explain
is "the least at which it goes on" "$W/door" "n=16, L=4  verified"
no "one that it turns back at" "$W/door" "L=3  verified"
no "one that is no power of two" "$W/door" "L=193"

exit $bad
