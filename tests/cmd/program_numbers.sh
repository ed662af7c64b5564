#!/usr/bin/env bash
# Which numbers of the file's program are divided or multiplied where it makes the inputs: named ones in all functions that go by them; none that
# only stands against data.
# test-deadline: 120
set -u
S=$(realpath "$BUILD")/regraph-search here=$PWD
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
bad=0
is() { if grep -qE -- "$3" "$2"; then echo "ok $1"; else echo "not ok $1: no '$3' in: $(head -c 1800 "$2")"; bad=1; fi; }
no() { if grep -qE -- "$3" "$2"; then echo "not ok $1: '$3' in: $(head -c 1800 "$2")"; bad=1; else echo "ok $1"; fi; }
run() { out=$1; shift; "$S" "$@" --device sim:h200 --graph "$here/graphs/cuda.json" --no-learn -q --force --out "$W/out" >"$W/$out" 2>&1 </dev/null; echo $? >"$W/$out.rc"; }

# A helper of main goes by the same named numbers as main.
cat >"$W/mesh.c" <<'E'
#include <stdio.h>
#include <stdlib.h>
enum { ROWS = 240, COLS = 320 };
static int mesh(float *p, int *idx)
{
    int n = 0;
    for (int r = 0; r <= ROWS; r++)
        for (int c = 0; c <= COLS; c++) p[r * (COLS + 1) + c] = 0.01f * (float)((r * 7 + c) % 113);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++) {
            idx[n++] = r * (COLS + 1) + c;
            idx[n++] = (r + 1) * (COLS + 1) + c;
        }
    return n;
}
void spread(const float *p, int np, const int *idx, int n, float *out)
{
    for (int i = 0; i < n; i++) out[i] = np > 0 ? p[idx[i]] : 0.0f;
}
int main(void)
{
    float *p = malloc((ROWS + 1) * (COLS + 1) * sizeof *p), *out = malloc(2 * ROWS * COLS * sizeof *out);
    int *idx = malloc(2 * ROWS * COLS * sizeof *idx);
    spread(p, (ROWS + 1) * (COLS + 1), idx, mesh(p, idx), out);
    printf("%g\n", out[7]);
    return 0;
}
E
run mesh "$W/mesh.c" --function spread --init main --explain
is "a helper's are divided with main's" "$W/mesh" 'np=660, n=1218 '

# Structures follow from the numbers of two set-ups as main has them: these stay, the others are divided and multiplied.
cat >"$W/bands.c" <<'E'
#include <stdio.h>
#include <stdlib.h>
struct band { int first, count; float *weight; };
static struct { int span, shift, n_bands, rate; float *window; struct band *bands; } front;
int front_open(int rate, int span, int shift)
{
    front.rate = rate;
    front.span = span;
    front.shift = shift;
    if (!(front.window = malloc(span * sizeof(float)))) return -1;
    for (int i = 0; i < span; i++) front.window[i] = 0.5f + 0.001f * i;
    return 0;
}
int front_bands(int bands, double low)
{
    front.n_bands = bands;
    if (!(front.bands = calloc(bands, sizeof *front.bands))) return -1;
    for (int b = 0; b < bands; b++) {
        int a = (int)(low * (b + 1) * front.span / front.rate), z = a + 2 + b;
        front.bands[b].first = a;
        front.bands[b].count = z - a + 1;
        if (!(front.bands[b].weight = malloc((z - a + 1) * sizeof(float)))) return -1;
        for (int k = a; k <= z; k++) front.bands[b].weight[k - a] = 0.1f * (float)(k - a) + 1.0f;
    }
    return 0;
}
int bands_of(const float *x, int n, float *out)
{
    if (n < front.span) return 0;
    int frames = 1 + (n - front.span) / front.shift;
    for (int t = 0; t < frames; t++)
        for (int b = 0; b < front.n_bands; b++) {
            const struct band *band = &front.bands[b];
            float e = 0;
            for (int k = 0; k < band->count; k++)
                e += band->weight[k] * front.window[band->first + k] * x[t * front.shift + band->first + k];
            out[t * front.n_bands + b] = e;
        }
    return frames;
}
int main(void)
{
    int n = 9000;
    float *x = malloc(n * sizeof *x), *out;
    if (!x || front_open(8000, 100, 40) || front_bands(5, 300.0)) return 1;
#if AGAIN
    if (front_bands(4, 200.0)) return 1;
#endif
    for (int i = 0; i < n; i++) x[i] = (float)(i * 37 % 101) * 0.25f;
    out = calloc((size_t)n / front.shift * front.n_bands, sizeof *out);
    printf("%d\n", bands_of(x, n, out));
    return out[3] < 0.0f;
}
E
run bands "$W/bands.c" --function bands_of --init front_open --init front_bands --explain --cflags -DAGAIN=0
is "structures follow from main's numbers" "$W/bands" 'require front.n_bands == 5'
is "what the set-up computes of reals is as it computes it" "$W/bands" 'front.bands\[4\].first=18, front.bands\[4\].count=7'
is "main's other number alone is multiplied" "$W/bands" 'n=[0-9]{6,}, front.span=100, front.shift=40, front.n_bands=5, front.rate=8000'
run bands_again "$W/bands.c" --function bands_of --init front_open --init front_bands --explain --cflags -DAGAIN=1
is "of two calls with other numbers neither counts" "$W/bands_again" 'state that, --size .*bands=\.\.'

# An array of main's is as long as a variable that is set to a number: it goes with the parameter that this number, divided or multiplied, is.
cat >"$W/look.c" <<'E'
#include <stdio.h>
#include <stdlib.h>
static struct { int n; float step; } grid;
void grid_open(int n, float step) { grid.n = n; grid.step = step; }
void gather(const float *table, const int *at, float *out)
{
    for (int i = 0; i < grid.n; i++) out[i] = grid.step * table[at[i]];
}
int main(void)
{
    int n = 3000;
    KIND int m = MOST;
    float *table = malloc(m * sizeof *table), *out = malloc(n * sizeof *out);
    int *at = malloc(n * sizeof *at);
    for (int i = 0; i < m; i++) table[i] = 0.5f * i;
    for (int i = 0; i < n; i++) at[i] = i * 17 % m;
    grid_open(n, 0.25f);
    gather(table, at, out);
    printf("%g\n", out[7]);
    return 0;
}
E
run look "$W/look.c" --function gather --init main --explain --cflags '-DKIND= -DMOST=3000'
is "as long as the number that is divided" "$W/look" 'table +in +float\[grid.n\]'
run look_other "$W/look.c" --function gather --init main --explain --cflags '-DKIND= -DMOST=500'
is "a number that stays is the extent" "$W/look_other" 'table +in +float\[500\]'
run look_static "$W/look.c" --function gather --init main --explain --cflags '-DKIND=static -DMOST=3000'
is "a static variable's initialiser stays" "$W/look_static" 'table +in +float\[3000\]'

# Years are years, however many orders there are.
cat >"$W/orders.c" <<'E'
#include <stdio.h>
#include <stdlib.h>
struct order { int year; float amount; };
static struct order *orders;
static int n_orders;
void load(const int *year, const float *amount, int n)
{
    orders = malloc(n * sizeof *orders);
    n_orders = n;
    for (int i = 0; i < n; i++) orders[i].year = year[i], orders[i].amount = amount[i];
}
double revenue(int from, int to)
{
    double sum = 0;
    for (int i = 0; i < n_orders; i++)
        if (orders[i].year >= from && orders[i].year <= to) sum += orders[i].amount;
    return sum;
}
int main(void)
{
    int no = 9000, *year = malloc(no * sizeof *year);
    float *amount = malloc(no * sizeof *amount);
    for (int i = 0; i < no; i++) year[i] = 2001 + i % 20, amount[i] = 0.25f * (float)(i % 50);
    load(year, amount, no);
    printf("%g\n", revenue(2004, 2016));
    return 0;
}
E
run orders "$W/orders.c" --function revenue --init main --explain
is "the years stay" "$W/orders" 'from=2004, to=2016, n_orders=[0-9]{6,}  timed'
no "and are no size" "$W/orders" 'from=[013-9]'
exit $bad
