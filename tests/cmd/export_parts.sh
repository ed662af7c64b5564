#!/usr/bin/env bash
# NAME_auto of functions whose arguments the kernel takes in parts: structures with pointers inside, rows behind pointers, file-scope pointers.
# The CUDA runtime is the one of tests/cmd/fake_cuda, the kernels are C here.
# test-deadline: 240
set -u
. tests/cmd/fake_cuda/export.bash
# ARG(a, NAME): the kernel's argument, found by its name in the plan; pointer and value alike
cat >args.h <<'C'
#include "fake_cuda.h"
#include <string.h>
static void *arg(void **a, const char *name)
{
    const char *order = ORDER;
    size_t n = strlen(name);
    for (int k = 0; ; k++) {
        while (*order == ' ') order++;
        size_t m = strcspn(order, ",");
        if (m == n && !strncmp(order, name, n)) return a[k];
        if (!order[m]) __builtin_trap();
        order += m + 1;
    }
}
C
# build NAME: searched, compiled and linked with NAME.c, NAME_kernel.c and NAME_driver.c as the program NAME_app, without NAME.c as NAME_alone
build()
{
    "$S" "$1.c" --device sim:h200 --no-learn -q --apply parallelize --out "$1" "${@:2}" >stdout 2>stderr </dev/null; found "$1-search" $?
    (cd "$1" && "$NVCC" -arch=sm_90 -Werror all-warnings -c best.cu && { [ ! -f auto.c ] || cc -Wall -Wextra -Werror -c auto.c; } ) >log 2>stderr; ok "$1-compiles" $? 0
    local order; order=$(sed -nE 's/^\/\/ [a-z_0-9]+<<<.*>>>\((.*)\);$/\1/p' "$1/best.cu" | head -1)
    cc -w -I"$FAKE_CUDA" -DORDER="\"$order\"" -c "$1_kernel.c" "$FAKE_CUDA/runtime.c" 2>stderr && cc -O1 -Wall -Werror -c "$1.c" -Wno-unknown-pragmas && cc -Wall -Werror -I. -c "$1_driver.c" 2>stderr; ok "$1-parts-compile" $? 0
    cc -o "$1_app" "$1_driver.o" "$1_kernel.o" runtime.o "$1"/best.o $(ls "$1"/auto.o 2>/dev/null) "$1.o" -lm -lstdc++ 2>stderr; ok "$1-links" $? 0
}

# a structure behind a pointer, another behind a pointer of it, rows behind pointers there, an array inside; a type of a system header beside them
cat >relax.h <<'C'
#include <stdio.h>
typedef struct mesh mesh_t;
enum { KEEP = 3 };
struct grid { char tag; int nx, ny; double **u; } __attribute__((packed));
struct mesh { FILE *log; struct grid *g; const double *k; double w[KEEP]; int runs; };
C
cat >relax.c <<'C'
#include "relax.h"
#pragma regraph size(m.g.nx=40, m.g.ny=30) size(m.g.nx=300, m.g.ny=200)
void relax(mesh_t *m, const double *restrict f)
{
    for (int i = 0; i < m->g->nx; i++)
        for (int j = 0; j < m->g->ny; j++) m->g->u[i][j] = m->w[1] * m->g->u[i][j] + m->k[i] * f[j];
}
C
cat >relax_kernel.c <<'C'
#include "args.h"
void fake_kernel(void **a)
{
    int nx = *(int *)arg(a, "m_g_nx"), ny = *(int *)arg(a, "m_g_ny");
    double *u = *(double **)arg(a, "m_g_u"), *k = *(double **)arg(a, "m_k"), *w = *(double **)arg(a, "m_w"), *f = *(double **)arg(a, "f");
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++) u[i * ny + j] = w[1] * u[i * ny + j] + k[i] * f[j] + (fake_is("wrong") && i == 2 && j == 1);
}
C
cat >relax_driver.c <<'C'
#include "relax.h"
#include "relax/best.h"
#include <stdlib.h>
#include <string.h>
extern int launches;
#ifndef ALONE
void relax(mesh_t *m, const double *f);
#endif
int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    int nx = strcmp(mode, "empty") ? 20 : 0, ny = 17, right = 1;
    double k[20], f[17], *u[20], *v[20];
    for (int i = 0; i < 17; i++) f[i] = i;
    for (int i = 0; i < 20; i++) {
        k[i] = 2 * i;
        u[i] = malloc(sizeof f); /* rows that lie anywhere */
        free(malloc(100 + 64 * i));
        v[i] = malloc(sizeof f);
        for (int j = 0; j < 17; j++) u[i][j] = v[i][j] = i + j;
    }
    if (!strcmp(mode, "shared")) u[3] = u[5], v[3] = v[5];
    if (!strcmp(mode, "input")) { u[3] = f; }
    struct grid g = {'x', nx, ny, u}, h = {'x', nx, ny, v};
    mesh_t m = {stderr, &g, k, {9, 0.5, 7}, 1}, c = {stderr, &h, k, {9, 0.5, 7}, 1};
    for (int call = 0; call < 3; call++) {
        relax_auto(&m, f);
#ifndef ALONE
        if (strcmp(mode, "input")) relax(&c, f);
#else
        for (int i = 0; i < nx; i++)
            for (int j = 0; j < ny; j++) v[i][j] = 0.5 * v[i][j] + k[i] * f[j];
#endif
    }
    (void)c;
    for (int i = 0; i < 20 && strcmp(mode, "input"); i++) right = right && !memcmp(u[i], v[i], sizeof f);
    printf("%d launches, %s\n", launches, right ? "right" : "wrong");
    return 0;
}
C
build relax
run() { ./relax_app "$@" 2>stderr; }
ok kernel "$(run)" '3 launches, right'; ok no-device "$(FAKE=none run)" '0 launches, right'; ok memory "$(FAKE=memory run)" '0 launches, right'
ok fault "$(FAKE=fault run)" '1 launches, right'; ok fault-said "$(cat stderr)" 'relax_auto: unspecified launch failure; the C function is used from now on'
ok off "$(REGRAPH_OFF=1 run)" '0 launches, right'; ok empty "$(run empty)" '0 launches, right'
ok one-row-twice "$(run shared)" '0 launches, right'; ok a-row-is-an-input "$(run input)" '0 launches, right'
ok unchecked "$(FAKE=wrong run)" '3 launches, wrong'; ok checked "$(REGRAPH_CHECK=1 run)" '3 launches, right'; ok checked-is-silent "$(cat stderr)" ''
ok mismatch "$(REGRAPH_CHECK=1 FAKE=wrong run)" '1 launches, right'
ok mismatch-said "$(cat stderr)" 'relax_auto: m.g.u[35] is 6.5, the C function gives 5.5 (1 values differ); the C function is used from now on'
cc -w -DALONE -c relax_driver.c -o alone.o && cc -o alone alone.o relax_kernel.o runtime.o relax/best.o relax/auto.o -lm -lstdc++ 2>stderr; ok alone-links $? 0
ok alone "$(./alone 2>stderr)" '3 launches, right'; { FAKE=none ./alone; } >/dev/null 2>&1; [ $? -ne 0 ]; ok alone-without-a-device-fails $? 0
rm -f relax/auto.o relax/best.o; make -s -C relax auto.o >log 2>stderr; ok make-auto $? 0

# a structure by value, tables of rows and of tables as arguments, a row that is missing
cat >mix.c <<'C'
struct image { float *pix; int w, h; float scale; };
#pragma regraph size(im.w=40, im.h=30, d=2) size(im.w=200, im.h=100, d=3)
void mix(struct image im, float *out[], const float *const *add, float ***t, int d)
{
    for (int i = 0; i < im.h; i++)
        for (int j = 0; j < im.w; j++) out[i][j] = im.scale * im.pix[i * im.w + j] + add[i][j] + t[d - 1][i][j];
}
C
cat >mix_kernel.c <<'C'
#include "args.h"
void fake_kernel(void **a)
{
    int w = *(int *)arg(a, "im_w"), h = *(int *)arg(a, "im_h"), d = *(int *)arg(a, "d");
    float s = *(float *)arg(a, "im_scale"), *pix = *(float **)arg(a, "im_pix"), *out = *(float **)arg(a, "out"), *add = *(float **)arg(a, "add"), *t = *(float **)arg(a, "t");
    for (int i = 0; i < h * w; i++) out[i] = s * pix[i] + add[i] + t[(d - 1) * h * w + i];
}
C
cat >mix_driver.c <<'C'
struct image { float *pix; int w, h; float scale; };
#include "mix/best.h"
#include <stdio.h>
#include <stdlib.h>
extern int launches;
int main(int argc, char **argv)
{
    enum { W = 13, H = 7, D = 3 };
    static float pix[W * H], rows[H][W], more[H][W], deep[D][H][W], *out[H], **t[D];
    const float *add[H];
    int right = 1;
    for (int i = 0; i < H; i++) {
        out[i] = rows[H - 1 - i];
        add[i] = more[i];
        for (int j = 0; j < W; j++) pix[i * W + j] = i - j, more[i][j] = 10 * i, deep[D - 1][i][j] = 100 * j;
    }
    for (int k = 0; k < D; k++) {
        t[k] = malloc(sizeof(float *) * H);
        for (int i = 0; i < H; i++) t[k][i] = deep[k][i];
    }
    if (argc > 1) t[0] = NULL; /* the C never looks at it */
    struct image im = {pix, W, H, 3};
    mix_auto(im, out, add, t, D);
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) right = right && rows[H - 1 - i][j] == 3 * (i - j) + 10 * i + 100 * j;
    printf("%d launches, %s\n", launches, right ? "right" : "wrong");
    return 0;
}
C
build mix
ok mix "$(./mix_app 2>stderr)" '1 launches, right'; ok mix-no-device "$(FAKE=none ./mix_app 2>stderr)" '0 launches, right'
ok mix-a-table-missing "$(./mix_app missing 2>stderr)" '0 launches, right'

# file-scope pointers: the array is what they point to
cat >held.c <<'C'
float *x, *y;
void held(int n) { for (int i = 0; i < n; i++) y[i] += 2 * x[i]; }
C
cat >held_kernel.c <<'C'
#include "args.h"
void fake_kernel(void **a)
{
    float *x = *(float **)arg(a, "x"), *y = *(float **)arg(a, "y");
    for (int i = 0; i < *(int *)arg(a, "n"); i++) y[i] += 2 * x[i];
}
C
cat >held_driver.c <<'C'
#include <stdio.h>
#include "held/best.h"
extern float *x, *y;
extern int launches;
int main(void)
{
    float a[50], b[50];
    int right = 1;
    for (int i = 0; i < 50; i++) a[i] = i, b[i] = 1;
    x = a;
    y = b;
    held_auto(50);
    for (int i = 0; i < 50; i++) right = right && b[i] == 1 + 2 * i && a[i] == i;
    printf("%d launches, %s\n", launches, right ? "right" : "wrong");
    return 0;
}
C
build held --size n=500
ok held "$(./held_app 2>stderr)" '1 launches, right'; ok held-no-device "$(FAKE=none ./held_app 2>stderr)" '0 launches, right'
# best.h stands beside the user's own types, in C and in C++: it declares none of them again
cat >points.h <<'C'
typedef struct { float x, y; } point;
typedef struct box { point lo, hi; } box_t;
C
cat >points.c <<'C'
#include "points.h"
#pragma regraph size(n=1000)
void shift(int n, point d, const box_t *b, const point *p, point *q)
{
    for (int i = 0; i < n; i++) { q[i].x = p[i].x + d.x + b->lo.x; q[i].y = p[i].y + d.y; }
}
C
"$S" points.c --device sim:h200 --no-learn -q --apply parallelize --out points >stdout 2>stderr </dev/null; found points $?
printf '#include "points.h"\n#include "points/best.h"\n#include "relax.h"\n#include "relax/best.h"\nint main(void) { return 0; }\n' >both.c
cc -std=c11 -Wall -Wextra -Werror -c both.c 2>stderr; ok types-beside $? 0
c++ -x c++ -Wall -Werror -c both.c 2>stderr; ok types-beside-in-c++ $? 0
cc -c points/check.c -o check.o 2>stderr; ok types-in-the-check $? 0
exit $fails
