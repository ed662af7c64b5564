#!/usr/bin/env bash
# NAME_auto of functions that take arrays of structures with pointers inside: members are gathered from the elements, each row as far as its own
# element says, and what was written goes back. The CUDA runtime is the one of tests/cmd/fake_cuda, the kernels are C here.
# test-deadline: 240
set -u
. tests/cmd/fake_cuda/export.bash
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
cat >smooth.h <<'C'
#include <stdio.h>
typedef struct { int first; float scale; } range_t;
typedef struct { FILE *log; const float *x; float *y; short len; range_t at; float kept[3]; } series_t;
struct batch { series_t *all; int n; };
C
cat >smooth.c <<'C'
#include "smooth.h"
#pragma regraph size(b.n=40) size(b.n=300)
static void one(series_t *s, float a)
{
    for (int k = 0; k < s->len; k++) s->y[k] = a * s->x[k] + s->y[k] * s->at.scale + s->at.first;
    s->kept[1] = s->kept[0] + a;
}
void smooth(struct batch *b, float a)
{
    for (int i = 0; i < b->n; i++) one(&b->all[i], a);
}
C
cat >smooth_kernel.c <<'C'
#include "args.h"
void fake_kernel(void **a)
{
    int n = *(int *)arg(a, "b_n");
    long most = *(long *)arg(a, "b_all_len_end");
    float f = *(float *)arg(a, "a"), *x = *(float **)arg(a, "b_all_x"), *y = *(float **)arg(a, "b_all_y"), *kept = *(float **)arg(a, "b_all_kept");
    struct { int first; float scale; } *at = *(void **)arg(a, "b_all_at");
    short *len = *(short **)arg(a, "b_all_len");
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < len[i]; k++) y[i * most + k] = f * x[i * most + k] + y[i * most + k] * at[i].scale + at[i].first + (fake_is("wrong") && i == 2 && !k);
        kept[3 * i + 1] = kept[3 * i] + f;
    }
}
C
cat >smooth_driver.c <<'C'
#include "smooth.h"
#include "smooth/best.h"
#include <stdlib.h>
#include <string.h>
extern int launches;
#ifndef ALONE
void smooth(struct batch *b, float a);
#endif
enum { N = 20 };
static series_t *made(const char *mode)
{
    series_t *s = calloc(N, sizeof *s);
    for (int i = 0; i < N; i++) {
        float *x = malloc((i + 1) * sizeof *x); /* no row is as long as another */
        s[i] = (series_t){stderr, x, malloc((i + 1) * sizeof *x), i, {i - 3, 0.5f}, {i, 7, 9}};
        for (int k = 0; k <= i; k++) x[k] = i - k, s[i].y[k] = 100 + k;
    }
    if (!strcmp(mode, "shared")) s[3].y = s[5].y;                /* one row twice */
    if (!strcmp(mode, "input")) s[7].x = s[8].y;                 /* what is written is read elsewhere */
    if (!strcmp(mode, "same-input")) s[3].x = s[5].x;            /* nobody writes there */
    if (!strcmp(mode, "null")) s[0].x = 0;
    if (!strcmp(mode, "negative")) s[4].len = -2;
    return s;
}
int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    int right = 1;
    series_t *s = made(mode), *t = made(mode);
    struct batch b = {s, strcmp(mode, "empty") ? N : 0}, c = {t, b.n};
    if (!strcmp(mode, "nowhere")) b.all = c.all = 0, b.n = c.n = 0;
    for (int call = 0; call < 3; call++) {
        smooth_auto(&b, 2);
#ifndef ALONE
        smooth(&c, 2);
#else
        for (int i = 0; i < c.n; i++) {
            for (int k = 0; k < t[i].len; k++) t[i].y[k] = 2 * t[i].x[k] + t[i].y[k] * t[i].at.scale + t[i].at.first;
            t[i].kept[1] = t[i].kept[0] + 2;
        }
#endif
    }
    for (int i = 0; i < N; i++) right = right && !memcmp(s[i].y, t[i].y, (i + 1) * sizeof(float)) && !memcmp(s[i].kept, t[i].kept, sizeof s[i].kept) && s[i].len == t[i].len;
    printf("%d launches, %s\n", launches, right ? "right" : "wrong");
    return 0;
}
C
"$S" smooth.c --device sim:h200 --no-learn -q --apply parallelize --out smooth >stdout 2>stderr </dev/null; found smooth-search $?
(cd smooth && "$NVCC" -arch=sm_90 -Werror all-warnings -c best.cu && cc -Wall -Wextra -Werror -fsanitize=address -c auto.c) >log 2>stderr; ok smooth-compiles $? 0
order=$(sed -nE 's/^\/\/ [a-z_0-9]+<<<.*>>>\((.*)\);$/\1/p' smooth/best.cu | head -1)
cc -w -fsanitize=address -I"$FAKE_CUDA" -DORDER="\"$order\"" -c smooth_kernel.c "$FAKE_CUDA/runtime.c" 2>stderr && cc -O1 -fsanitize=address -Wall -Werror -Wno-unknown-pragmas -c smooth.c && cc -Wall -Werror -fsanitize=address -I. -c smooth_driver.c 2>stderr
ok smooth-parts-compile $? 0
cc -fsanitize=address -o app smooth_driver.o smooth_kernel.o runtime.o smooth/best.o smooth/auto.o smooth.o -lm -lstdc++ 2>stderr; ok smooth-links $? 0
export ASAN_OPTIONS=detect_leaks=0
run() { ./app "$@" 2>stderr; }
ok kernel "$(run)" '3 launches, right'; ok no-device "$(FAKE=none run)" '0 launches, right'; ok off "$(REGRAPH_OFF=1 run)" '0 launches, right'
ok fault "$(FAKE=fault run)" '1 launches, right'; ok empty "$(run empty)" '0 launches, right'; ok nowhere "$(run nowhere)" '0 launches, right'
ok one-row-twice "$(run shared)" '0 launches, right'; ok a-row-is-an-input "$(run input)" '0 launches, right'; ok one-input-twice "$(run same-input)" '3 launches, right'
ok a-row-is-null "$(run null)" '0 launches, right'; ok negative-length "$(run negative)" '3 launches, right'
ok unchecked "$(FAKE=wrong run)" '3 launches, wrong'; ok checked "$(REGRAPH_CHECK=1 run)" '3 launches, right'; ok checked-is-silent "$(cat stderr)" ''
ok mismatch "$(REGRAPH_CHECK=1 FAKE=wrong run)" '1 launches, right'
ok mismatch-said "$(cut -d: -f1,2 <stderr | sed 's/\[[0-9]*\].*//')" 'smooth_auto: b.all.y'
cc -w -DALONE -fsanitize=address -I. -c smooth_driver.c -o alone.o && cc -fsanitize=address -o alone alone.o smooth_kernel.o runtime.o smooth/best.o smooth/auto.o -lm -lstdc++ 2>stderr; ok alone-links $? 0
ok alone "$(./alone 2>stderr)" '3 launches, right'; { FAKE=none ./alone; } >/dev/null 2>&1; [ $? -ne 0 ]; ok alone-without-a-device-fails $? 0
exit $fails
