#!/usr/bin/env bash
# Extents that neither the code nor the user says are read off a run of the C: products of sizes, rows behind one another, packed triangles; what the
# user says wins; what no product says stays as it is proposed, and is blamed where the C steps outside.
# test-deadline: 300
set -u
S=$(realpath "$BUILD")/regraph-search; G=$PWD/graphs/cuda.json
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
cat >grouped.c <<'C'
#include <stdlib.h>
/* places are counted up in a helper array: nobody reads off the code how many there are */
void group(int groups, int events, const int *of, const double *v, int *first, double *out)
{
    int *next = malloc((groups + 1) * sizeof *next);
    for (int g = 0; g <= groups; g++) first[g] = 0;
    for (int e = 0; e < events; e++) first[of[e] + 1]++;
    for (int g = 0; g < groups; g++) first[g + 1] += first[g];
    for (int g = 0; g <= groups; g++) next[g] = first[g];
    for (int e = 0; e < events; e++) out[next[of[e]]++] = v[e];
    free(next);
}
C
cat >packed.c <<'C'
/* rows of a packed triangle, gone along by a pointer that ends at a sentinel count */
double triangle(int n, const double *a)
{
    double s = 0;
    int left = n, row = n;
    while (row > 0) {
        s += *a++;
        if (--left == 0) { row--; left = row; }
    }
    return s;
}
C
cat >pieces.c <<'C'
#include <stddef.h>
/* a sum for each piece of a stream, the last one shorter */
void pieces(const unsigned char *p, size_t size, size_t piece, unsigned *sums)
{
    while (size > 0) {
        size_t n = size < piece ? size : piece;
        unsigned a = 1;
        for (size_t i = 0; i < n; i++) a = a * 31 + p[i];
        *sums++ = a;
        p += n;
        size -= n;
    }
}
C
cat >words.c <<'C'
/* a table of all words of k letters: no product of sizes */
void words(const unsigned char *s, int n, int k, int *table)
{
    unsigned w = 0;
    for (int i = 0; i < n; i++) {
        w = (w << 2 | (s[i] & 3)) & ((1u << 2 * k) - 1);
        if (i + 1 >= k) table[w]++;
    }
}
C
cat >led.c <<'C'
struct body { int first, count; };
/* where the points of a body are, its data say */
void sums(int bodies, const struct body *b, const float *pool, float *out)
{
    for (int i = 0; i < bodies; i++) {
        float s = 0;
        for (int k = 0; k < b[i].count; k++) s += pool[b[i].first + 2 * k];
        out[i] = s;
    }
}
C
cat >blocks.c <<'C'
#include <stdint.h>
/* blocks of three behind a condition: which of u are read the data say, and people give as many as there are rows */
void rows(int n, const int *ptr, const int *col, const double *val, const double *u, const unsigned char *fixed, double *r)
{
    for (int i = 0; i < n; i++) {
        r[3 * i] = r[3 * i + 1] = r[3 * i + 2] = 0;
        if (fixed[i]) continue;
        for (int p = ptr[i]; p < ptr[i + 1]; p++) {
            const double *v = u + 3 * (int64_t)col[p];
            for (int k = 0; k < 3; k++) r[3 * i + k] += val[p] * v[k];
        }
    }
}
C
cat >halved.c <<'C'
/* scratch that is halved from round to round: all of it at even lengths */
void halved(double *x, double *work, int n, int batch, int sign)
{
    for (int b = 0; b < batch; b++) {
        double *from = x + (long)b * n, *to = work;
        int width = 1;
        for (int left = n; left > 1; left /= 2, width *= 2) {
            int half = left / 2;
            for (int p = 0; p < half; p++)
                for (int q = 0; q < width; q++) {
                    double a = from[q + width * p], c = from[q + width * (p + half)];
                    to[q + width * 2 * p] = a + c;
                    to[q + width * (2 * p + 1)] = sign * (a - c);
                }
            double *t = from;
            from = to;
            to = t;
        }
    }
}
C
cat >diagonals.c <<'C'
/* diagonals that lie so far from the main one: nothing of x is read where they lie outside */
void diagonals(int n, int many, const int *offset, const float *diag, const float *x, float *y)
{
    for (int d = 0; d < many; d++) {
        int off = offset[d], lo = off < 0 ? -off : 0, hi = off > 0 ? n - off : n;
        for (int i = lo; i < hi; i++) y[i] += diag[(long)d * n + i] * x[i + off];
    }
}
C
bad=0
said() { # NAME TEXT OPTIONS: --explain says TEXT
    "$S" "$1.c" --device sim:h200 --graph "$G" --no-learn --explain "${@:3}" >"$1.txt" 2>&1
    if grep -qF -- "$2" "$1.txt"; then echo "ok measured-$1"; else echo "not ok measured-$1: $(grep -E 'extent|regraph-search' "$1.txt" | head -n 2 | cut -c1-300)"; bad=1; fi
}
said grouped "extents out: events, as far as the C was seen to go (--extent 'out: events')"
said pieces "sums: (size + piece - 1)/piece, as far as the C was seen to go"
said words "the extent of 'table' cannot be read off the code"
said packed "extents a: n*(n + 1)/2, as far as the C was seen to go"
said diagonals "extents x: n, as far as the C was seen to go"
said blocks "extents u: 3*n, "
said halved "work: n, as far as the C was seen to go"
"$S" grouped.c --extent 'out: 2*events' --device sim:h200 --graph "$G" --no-learn --explain >given.txt 2>&1
if grep -qF 'double[2*events]' given.txt && ! grep -q 'seen to go' given.txt; then echo "ok measured-given"; else echo "not ok measured-given"; bad=1; fi
"$S" grouped.c --device sim:h200 --graph "$G" --no-learn --evals 3 --out grouped-out --json >grouped.json 2>grouped.err; rc=$?
if [ $rc -le 1 ] && grep -q '"extents_assumed": "out: events, as far' grouped.json; then echo "ok measured-run"; else echo "not ok measured-run: exit $rc $(head -c 300 grouped.err)"; bad=1; fi
"$S" led.c --device sim:h200 --graph "$G" --no-learn --evals 1 --out led-out >led.out 2>led.err; rc=$?
if [ $rc = 3 ] && grep -q "the extent of 'pool' cannot be read off the code: .*--extent 'pool: " led.err &&
    [ ! -e led-out/best.cu ]; then echo "ok measured-led"; else echo "not ok measured-led: exit $rc $(head -c 300 led.err)"; bad=1; fi
exit $bad
