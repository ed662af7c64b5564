#!/usr/bin/env bash
# Real inputs that become subscripts: where numbers of both signs lead outside, they are drawn inside, and that is said; not where they stay inside.
# test-deadline: 240
set -u
S=$(realpath "$BUILD")/regraph-search; G=$PWD/graphs/cuda.json
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
bad=0
cat >share.c <<'C'
void deposit(int n, int np, const float *x, const float *w, float *rho)
{
    for (int i = 0; i < n; i++) rho[i] = 0;
    for (int i = 0; i < np; ++i) {
        float gx = x[i] * (n - 2);
        int ix = (int)gx;
        float fx = gx - ix;
        rho[ix] += w[i] * (1 - fx);
        rho[ix + 1] += w[i] * fx;
    }
}
C
cat >cells.c <<'C'
#include <math.h>
struct point { double x, y, mass; };
void bin(int np, int nx, int ny, double x0, double y0, double inv, const struct point *p, double *mass, int *count)
{
    for (int c = 0; c < nx * ny; c++) { mass[c] = 0; count[c] = 0; }
    for (int i = 0; i < np; i++) {
        int ix = (int)floor((p[i].x - x0) * inv), iy = (int)floor((p[i].y - y0) * inv);
        mass[iy * nx + ix] += p[i].mass;
        count[iy * nx + ix]++;
    }
}
C
cat >sample.c <<'C'
#pragma regraph extent(image: nx*ny)
void sample(int n, int nx, int ny, const float *image, const float *u, const float *v, float *out)
{
    for (int i = 0; i < n; i++) {
        int x = (int)u[i], y = (int)v[i];
        float a = u[i] - x, b = v[i] - y;
        out[i] = (1 - b) * ((1 - a) * image[y * nx + x] + a * image[y * nx + x + 1])
               + b * ((1 - a) * image[(y + 1) * nx + x] + a * image[(y + 1) * nx + x + 1]);
    }
}
C
cat >clamped.c <<'C'
#pragma regraph extent(table: m)
void look(int n, int m, const float *table, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        int k = (int)(x[i] * m);
        if (k < 0) k = 0;
        if (k > m - 1) k = m - 1;
        y[i] = table[k];
    }
}
C
cat >boxes.c <<'C'
#include <math.h>
#include <stdlib.h>
typedef struct { double r[3]; int kind; } particle;
/* cells of a periodic box, kept in memory of its own before they lead anywhere */
void boxes(const particle *p, int np, double side, int nc, int *count)
{
    int *cell = malloc((size_t)np * sizeof *cell);
    if (!cell) return;
    for (int c = 0; c < nc * nc * nc; c++) count[c] = 0;
    for (int i = 0; i < np; i++) {
        int k[3];
        for (int d = 0; d < 3; d++) {
            double x = p[i].r[d] - side * floor(p[i].r[d] / side);
            int c = (int)floor(x / side * nc);
            k[d] = c < 0 ? c + nc : c >= nc ? c - nc : c;
        }
        cell[i] = (k[0] * nc + k[1]) * nc + k[2];
    }
    for (int i = 0; i < np; i++) count[cell[i]]++;
    free(cell);
}
C
cat >pairs.c <<'C'
#include <math.h>
/* distances in a periodic box: roots of squares, by the width of a bin */
void pairs(int n, const double *x, const double *y, double side, double width, int *hist, int bins)
{
    for (int b = 0; b < bins; b++) hist[b] = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double dx = x[i] - x[j], dy = y[i] - y[j];
            dx -= side * rint(dx / side);
            dy -= side * rint(dy / side);
            int b = (int)(sqrt(dx * dx + dy * dy) / width);
            if (b < bins) hist[b] += 2;
        }
}
C
cat >inverse.c <<'C'
void inverse(int n, int bins, double h, const double *x, const double *w, double *sum)
{
    const double inv = 1.0 / h;
    for (int i = 0; i < n; i++) {
        int b = (int)(x[i] * inv);
        if (b < bins) sum[b] += w[i];
    }
}
C
cat >far.c <<'C'
void far(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++) y[i] = x[i + (int)(x[i] * 3) + 1000000];
}
C
# NAME SIZES PATTERN: it verifies, and these are its inputs
says() {
    "$S" "$1.c" --size "$2" --device sim:h200 --graph "$G" --no-learn --evals 2 --out "$1" -q >"$1.txt" 2>"$1.err"; local rc=$?
    if [ $rc -gt 1 ]; then echo "not ok positions-$1: exit $rc: $(tail -n 1 "$1.err" | cut -c1-300)"; bad=1
    elif grep -qE "$3" "$1.txt"; then echo "ok positions-$1"; else echo "not ok positions-$1: $(grep inputs "$1.txt")"; bad=1; fi
}
says share n=1000,np=100000 'inputs +x=uniform\(0, 1\): '
says cells np=100000,nx=200,ny=100 'inputs .*p\.x=uniform\(0, max\(1, nx\)'
says sample n=100000,nx=300,ny=200 'inputs .*u=uniform\(0, max\(1, min\(nx, nx - 1\)'
says boxes np=10000,nc=16 'inputs .*side=constant\(1\); p\.r=uniform\(0, 1\)'
says pairs n=500,bins=300 'inputs .*width=constant\(1\); x=uniform\(0, max\(1, bins\)\); side=constant\(max\(1, bins\)\)'
says inverse n=100000,bins=300 'inputs .*h=constant\(1\); x=uniform\(0, max\(1, bins\)\)'
says clamped n=100000,m=500 'verified'
if grep -q '^  inputs' clamped.txt; then echo "not ok positions-none: $(grep inputs clamped.txt)"; bad=1; else echo "ok positions-none"; fi
# what leaves its arrays whatever they hold is told as it was first seen
"$S" far.c --size n=100000 --device sim:h200 --graph "$G" --no-learn --evals 2 -q >far.txt 2>far.err; rc=$?
if [ $rc = 3 ] && grep -qE 'far.c:3: far (touches memory out of bounds|crashes)' far.err; then echo "ok positions-far"; else echo "not ok positions-far: exit $rc: $(cat far.err)"; bad=1; fi
"$S" share.c --size n=1000,np=100000 --device sim:h200 --graph "$G" --no-learn --evals 4 --out share --resume -q >again.txt 2>again.err; rc=$?
if [ $rc -le 1 ] && grep -q 'x=uniform(0, 1)' again.txt; then echo "ok positions-resume"; else echo "not ok positions-resume: exit $rc: $(tail -n 1 again.err)"; bad=1; fi
exit $bad
