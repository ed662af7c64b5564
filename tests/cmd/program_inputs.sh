#!/usr/bin/env bash
# Inputs and sizes as the file's own main makes them (frontend/emit/program_text.c): handles that a function creates, contexts that a set-up
# fills from numbers of its own, arrays that main fills; and programs of which nothing is run.
# test-deadline: 600
set -u
S=$(realpath "$BUILD")/regraph-search here=$PWD
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
bad=0
is() { if grep -qF -- "$3" "$2"; then echo "ok $1"; else echo "not ok $1: no '$3' in: $(head -c 1500 "$2")"; bad=1; fi; }
no() { if grep -qF -- "$3" "$2"; then echo "not ok $1: '$3' in: $(head -c 1500 "$2")"; bad=1; else echo "ok $1"; fi; }
run() { out=$1; shift; "$S" "$@" --device sim:h200 --graph "$here/graphs/cuda.json" --no-learn --force --out "$W/out" >"$W/$out" 2>&1 </dev/null; echo $? >"$W/$out.rc"; }

cat >tank.c <<'E2'
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
typedef struct { int cells; double width, *level, *flow; } tank_t;
static void fail(const char *why) { fprintf(stderr, "%s\n", why); exit(2); }
tank_t *tank_new(int side, double width)
{
    if (side < 4) return NULL;
    tank_t *t = malloc(sizeof *t);
    if (!t) fail("memory");
    t->cells = side * side;
    t->width = width / side;
    t->level = malloc(t->cells * sizeof *t->level);
    t->flow = calloc(t->cells, sizeof *t->flow);
    if (!t->level || !t->flow) fail("memory");
    for (int i = 0; i < t->cells; i++) t->level[i] = 1 + 0.25 * sin(0.01 * i);
    return t;
}
int tank_step(tank_t *t, const double *rain, double dt, int steps)
{
    if (!t || !rain || steps < 1) return -1;
    while (steps-- > 0) {
        for (int i = 1; i < t->cells; i++) t->flow[i] = (t->level[i - 1] - t->level[i]) / t->width;
        for (int i = 0; i < t->cells; i++) {
            double *h = &t->level[i];
            *h += dt * (t->flow[i] - (i + 1 < t->cells ? t->flow[i + 1] : 0)) + rain[i];
        }
    }
    return 0;
}
int main(int argc, char **argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 192;
    tank_t *t = tank_new(side, 2.0e4);
    if (t == NULL) fail("too small");
    double *rain = malloc(t->cells * sizeof *rain);
    for (int i = 0; i < t->cells; i++) rain[i] = 1e-3 * (i % 17);
    double dt = 0.1 * t->width;
    if (tank_step(t, rain, dt, 160)) fail("step");
    printf("%g\n", t->level[100]);
    return 0;
}
E2
run tank tank.c --function tank_step --evals 4 --json
is "sizes of a handle" tank '"t.cells": 36864'
is "it is verified and parallel" tank '"parallel": "true"'
run tank_shown tank.c --function tank_step --explain
is "inputs by main" tank_shown "as main calls tank_step, with its numbers divided for smaller sizes"
is "a smaller one that main makes" tank_shown "t.cells=144,"
run named tank.c --function tank_step --init tank_new --size side=80 --explain
is "a number that the set-up takes" named "t.cells=6400, steps=160  timed"
run wrong_size tank.c --function tank_step --init tank_new --size t.cells=1000 --explain
is "a size that main does not make" wrong_size "t.cells=1000: main calls tank_step with 36864 there"
run none tank.c --function tank_step --init none --explain
no "none asks for random inputs" none "as main calls"

# What does more than compute in front of the call is not done, and ends the program: then it makes no inputs.
cat >reads.c <<'E2'
#include <stdio.h>
#include <stdlib.h>
static struct { int n; float *x; } s;
static void setup(int n) { s.n = n; s.x = calloc(n, sizeof *s.x); }
void twice(void) { for (int i = 0; i < s.n; i++) s.x[i] *= 2; }
int main(void)
{
    FILE *f = fopen("kept.txt", "w");
    setup(100000);
    if (f) fclose(f);
    twice();
    return s.x[3] > 0;
}
E2
echo kept >kept.txt
run reads reads.c --function twice --init setup --size n=1000 --explain
is "files are left alone" kept.txt kept
no "a program that opens files" reads "as main calls"
# One that does not end is given up: the file's main, and the set-up itself with the numbers that main gives it.
cat >loops.c <<'E2'
#include <stdlib.h>
static struct { int n; float *x; } s;
static volatile int go = 1;
static void setup(int n, int rows) { s.n = n * rows; s.x = calloc(s.n, sizeof *s.x); while (go) { } }
void twice(void) { for (int i = 0; i < s.n; i++) s.x[i] *= 2; }
int main(void) { setup(100, 300); twice(); return 0; }
E2
start=$SECONDS
run loops loops.c --function twice --init setup --explain
is "the reason is the set-up's" loops "setup did not return within 5 s at s.n="
[ $((SECONDS - start)) -le $((20 * ${SLOW:-1})) ] && echo "ok it ends" || { echo "not ok it ends"; bad=1; }
# Where random inputs give no reference (places of a mesh, a table that is searched), main's are taken without being asked for; pointers in an
# array of them have the length that their own allocation says; main is called as without arguments.
cat >mesh.c <<'E2'
#include <stdio.h>
#include <stdlib.h>
#define NX 64
static float field[NX + 1];
int push(int np, float *x, float *v, float dt, int steps)
{
    for (int s = 0; s < steps; s++)
        for (int p = 0; p < np; p++) {
            int i = (int)x[p];
            float a = x[p] - i, f = field[i] * (1 - a) + field[i + 1] * a, y = x[p] + dt * (v[p] += dt * f);
            while (y < 0) y += NX;
            while (y >= NX) y -= NX;
            x[p] = y;
        }
    return np;
}
int main(int argc, char **argv)
{
    int np = argc > 1 ? atoi(argv[1]) : 50000;
    float *of[2];
    for (int k = 0; k < 2; k++) of[k] = calloc(np, sizeof(float));
    for (int p = 0; p < np; p++) of[0][p] = (p * 7 % 1000) * 0.001f * (NX - 2) + 1, of[1][p] = (p % 5 - 2) * 0.1f;
    for (int i = 0; i <= NX; i++) field[i] = 0.01f * (i % 9 - 4);
    printf("%d\n", push(np, of[0], of[1], 0.1f, 20));
    return 0;
}
E2
run mesh mesh.c --function push --size np=50000 --size steps=20 --evals 1
is "random places lead outside: main's" mesh "as main calls push"
is "two options, one size; pointers in an array" mesh "np=50000, steps=20"
is "what main makes verifies" mesh "verified "
# Sizes that an unnamed enumeration names are divided with what is made of them, a function that calls itself only computes, and numbers that no
# size comes of stay what they are: with a reach of 50 this main would give up. What an enumeration lists is no number.
cat >tree.c <<'E2'
#include <stdio.h>
#include <stdlib.h>
enum kind { SMALL = 16, LARGE = 32 };
struct node { int left, right; float at; };
struct tree { struct node *node; int count; enum kind kind; };
static int grow(struct tree *t, int lo, int hi)
{
    int me = t->count++;
    t->node[me] = (struct node){-1, -1, 0.5f * (lo + hi)};
    if (hi - lo < 4) return me;
    int left = grow(t, lo, (lo + hi) / 2), right = grow(t, (lo + hi) / 2, hi);
    t->node[me].left = left;
    t->node[me].right = right;
    return me;
}
void ask(const struct tree *t, const float *x, int n, int *leaf)
{
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (t->node[k].left >= 0) k = x[i] < t->node[k].at ? t->node[k].left : t->node[k].right;
        leaf[i] = t->kind == LARGE ? k : 0;
    }
}
int main(void)
{
    enum { ROWS = 64, N = ROWS * 32 };
    float x[N], reach = 100;
    int leaf[N], sum = 0;
    struct tree t = {malloc(2 * N * sizeof(struct node)), 0, LARGE};
    grow(&t, 0, N);
    if (reach < 60) return 1;
    for (int i = 0; i < N; i++) x[i] = (float)((i * 37) & (N - 1));
    ask(&t, x, N, leaf);
    for (int i = 0; i < N; i++) sum += leaf[i];
    printf("%d\n", sum);
    return 0;
}
E2
run tree tree.c --function ask --extent 't.node: t.count' --evals 1 --json
is "main's tree" tree "as main calls ask"
is "its size" tree '"n": 2048'
is "it is verified and parallel" tree '"parallel": "true"'
run tree_sizes tree.c --function ask --extent 't.node: t.count' --explain
is "a smaller tree" tree_sizes "t.count=127, t.kind=32, n=128"
# What a set-up function is given and parks, its caller has chosen: a box, of which it makes its cells, and the places in it.
cat >cells.c <<'E2'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int count, side;
static double length, reach;
static const double *at;
static int *found;

int cells_open(int n, double size, double cutoff, const double *where)
{
    count = n;
    length = size;
    reach = cutoff;
    at = where;
    side = (int)(size / cutoff);
    if (side < 2) return -1;
    found = malloc((size_t)side * side * sizeof *found);
    return found ? 0 : -1;
}

double cells_fill(void)
{
    double off = 0;
    for (int c = 0; c < side * side; c++) found[c] = 0;
    for (int i = 0; i < count; i++) {
        double x = at[2 * i], y = at[2 * i + 1];
        while (x >= length) x -= length;
        while (y >= length) y -= length;
        int cx = (int)(x / length * side), cy = (int)(y / length * side);
        found[cy * side + cx]++;
        off += fabs(x - (cx + 0.5) * reach);
    }
    return off;
}

int main(void)
{
    enum { N = 4000 };
    static double p[2 * N];
    for (int i = 0; i < 2 * N; i++) p[i] = (i * 37 % 1000) * 0.025;
    if (cells_open(N, 20.0, 2.0, p)) return 1;
    printf("%g %d\n", cells_fill(), found[3]);
    return 0;
}
E2
for init in "" "--init cells_open"; do
    run cells cells.c --function cells_fill $init --evals 2
    is "places in a box that main chose${init:+, of a set-up that is named}" cells "as main calls cells_fill"
    is "they verify" cells "verified "
    is "and are as many as main says" cells "side=10, count=4000"
done
run chosen mesh.c --function push --size np=50000 --size steps=20 --init none --evals 1
no "what the user chose stands" chosen "as main calls push"

# A text that a set-up reads by functions that call each other, sizes that are main's own enumerators, and what is computed of them.
cat >table.c <<'E2'
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double factor[16];
static int n_factors, width;
static const char *at;
static void group(void);
static void item(void)
{
    if (*at == '(') {
        at++;
        group();
        at++;
        return;
    }
    char *end;
    factor[n_factors++ & 15] = strtod(at, &end);
    at = end;
}
static void group(void)
{
    item();
    while (isspace((unsigned char)*at)) at++, item();
}
int table_load(const char *text, int columns)
{
    if (columns < 1) return -1;
    n_factors = 0;
    width = columns;
    at = text;
    group();
    return *at != 0;
}
void table_run(const double *in, double *out, int rows)
{
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int f = 0; f < n_factors; f++) sum += factor[f] * in[(size_t)r * width + f % width];
        out[r] = sum;
    }
}
int main(void)
{
    enum { ROWS = 600000, COLS = 5, ALL = ROWS * COLS };
    double *in = malloc(sizeof(double) * ALL), *out = malloc(sizeof(double) * ROWS);
    srand((unsigned)time(NULL));
    for (int i = 0; i < ALL; i++) in[i] = 0.25 * (rand() % 17);
    if (table_load("1.5 (2 0.25 (4)) 3", COLS)) return 1;
    table_run(in, out, ROWS);
    printf("%g\n", out[7]);
    return 0;
}
E2
run table table.c --function table_run --init table_load --explain
is "a text that main passes to the set-up" table "by main"
is "main's own enumerators are sizes" table "rows=600000, n_factors=5, width=5  timed"
is "which are divided" table "rows=9375, n_factors=5, width=5  verified simulated"
run verified table.c --function table_run --init table_load --evals 4 --json
is "a table is verified and parallel" verified '"parallel": "true"'

# A set-up of arrays that stand for nothing of the function is not run, and then fills nothing.
cat >keyed.c <<'E2'
#include <stddef.h>
typedef struct { unsigned round[8]; int n; unsigned char left[4]; } keyed;
int keyed_set(keyed *k, const unsigned char *key, int bits)
{
    k->n = bits / 8;
    for (int i = 0; i < k->n && i < 8; i++) k->round[i] = key[i] * 2654435761u;
    k->left[0] = key[0];
    return 0;
}
unsigned keyed_mix(const keyed *k, const unsigned *in, unsigned *out, size_t n)
{
    for (size_t i = 0; i < n; i++) out[i] = (in[i] ^ k->round[i % 8]) + k->left[i % 4];
    return 0;
}
E2
run keyed keyed.c --function keyed_mix --init keyed_set --size n=5000 --evals 4
no "a set-up that is not run fills nothing" keyed "the shim has no init function"
is "and the inputs are random" keyed "verified "

# Lengths that only data say: the program says how far its own lead.
cat >rows.c <<'E2'
#include <stdlib.h>
typedef struct { int n, *first, *col; double *val; } rows_t;
void rows_times(const rows_t *a, const double *x, double *y)
{
    for (int i = 0; i < a->n; i++) {
        double s = 0;
        for (int k = a->first[i]; k < a->first[i + 1]; k++) s += a->val[k] * x[a->col[k]];
        y[i] = s;
    }
}
int main(void)
{
    rows_t a;
    a.n = 600000;
    a.first = malloc((a.n + 1) * sizeof *a.first);
    int k = 0;
    for (int i = 0; i < a.n; i++) {
        a.first[i] = k;
        for (int j = 0; j < 1 + i % 7; j++) k++;
    }
    a.first[a.n] = k;
    a.col = malloc(k * sizeof *a.col);
    a.val = malloc(k * sizeof *a.val);
    for (int i = 0; i < k; i++) a.col[i] = i * 11 % a.n, a.val[i] = 0.5 + i % 9;
    double *x = malloc(a.n * sizeof *x), *y = malloc(a.n * sizeof *y);
    for (int i = 0; i < a.n; i++) x[i] = 1.0 / (1 + i);
    rows_times(&a, x, y);
    return y[1] > 100;
}
E2
run rows rows.c --function rows_times --explain
is "rows are as main makes them" rows "inputs by main"
is "as long as their data lead" rows "a.n=600000, a.first.end=2399995  timed"
run rowsrun rows.c --function rows_times --evals 4
is "and are verified" rowsrun "verified "

# A number of a structure that the function changes, and that what fills the structure's arrays does not set.
cat >strip.c <<'E2'
#include <stdlib.h>
typedef struct { int n, used; double *v; } strip;
static void strip_fill(strip *s) { for (int i = 0; i < s->n; i++) s->v[i] = 1.0 + i % 7; }
double strip_take(strip *s, int least)
{
    double sum = 0;
    if (s->used < least || s->used > s->n) return -1;
    for (int i = 0; i < s->n; i++) sum += s->v[i] * s->used;
    s->used--;
    return sum;
}
int main(void)
{
    strip s = {5000, 4000, malloc(5000 * sizeof(double))};
    strip_fill(&s);
    return strip_take(&s, 12) < 0;
}
E2
run strip strip.c --function strip_take --evals 3
is "such a number is as main has it" strip "as main calls strip_take"
no "and the function goes on" strip "hardly anything"

# Where the C is done at once with what main passes, larger sizes are timed, as far as main's memory and checks let it.
shelf() { # declarations of main, statements in front of the call
    cat <<E2
#include <stdlib.h>
typedef struct { int n, day; double *in, *out; } shelf;
static shelf s;
void shelf_run(void) { for (int i = 0; i < s.n; i++) s.out[i] = s.in[i] * s.day; }
int main(void)
{
    int n = 500;
    $1
    for (int i = 0; i < n; i++) s.in[i] = i % 5;
    shelf_run();
    return s.out[1] > 20240131;
}
E2
}
shelf 's = (shelf){n, 20240131, malloc(n * sizeof(double)), malloc(n * sizeof(double))};' >heap.c
shelf 'static double a[500], b[500]; s = (shelf){n, 20240131, a, b};' >fixed.c
shelf 'if (n > 4000) return 1; s = (shelf){n, 20240131, malloc(n * sizeof(double)), malloc(n * sizeof(double))};' >most.c
for f in heap fixed most; do run $f $f.c --function shelf_run --explain; done
is "little is multiplied" heap "with its numbers times"
is "a day is none of the numbers" heap "s.day=20240131  timed"
no "arrays that are as long as they are" fixed "with its numbers times"
is "their sizes stay" fixed "s.n=500"
is "what main refuses is left out" most "s.n=4000, s.day=20240131  timed"
run again heap.c --function shelf_run --evals 2
is "and it is verified there" again "verified "
grep -q '"main_times": *[1-9]' "$W/out/problem.json" && echo "ok the problem says how many times" || { echo "not ok problem.json"; bad=1; }
size=$(grep -o 's.n=[0-9]*, s.day' again | head -1)
"$S" heap.c --function shelf_run --device sim:h200 --graph "$here/graphs/cuda.json" --no-learn --resume --out "$W/out" --evals 4 >resumed 2>&1
is "resumed at the same sizes" resumed "$size"
run stated heap.c --function shelf_run --size s.n=700 --explain
no "what the user states stays" stated "with its numbers times"

cat >slow.c <<'E2'
#include <stdlib.h>
void smooth(int n, int steps, const double *x, double *y)
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++) y[i] = x[i - 1] + x[i + 1] + 0.5 * y[i];
}
int main(void)
{
    int n = 100000, steps = 200000;
    double *x = malloc(n * sizeof *x), *y = calloc(n, sizeof *y);
    for (int i = 0; i < n; i++) x[i] = i * 0.001;
    smooth(n, steps, x, y);
    return y[5] > 1;
}
E2
mkdir tmp
for s in 0.3 0.6 1 2; do
    TMPDIR=$W/tmp "$S" slow.c --function smooth --init main --explain >stopped 2>&1 </dev/null & pid=$!
    sleep $s; kill -TERM $pid; wait $pid 2>/dev/null
done
if [ -z "$(ls tmp)" ]; then echo "ok a load that is stopped leaves nothing"; else echo "not ok left: $(ls tmp)"; bad=1; fi

exit $bad
