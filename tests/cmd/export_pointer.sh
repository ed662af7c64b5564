#!/usr/bin/env bash
# NAME_auto of functions that return a pointer into an argument: the caller's own, or NULL, whether the kernel ran or the C did; with a
# CUDA runtime that this test makes up.
# test-deadline: 240
set -u
. tests/cmd/fake_cuda/export.bash
cat >pick.c <<'C'
#pragma regraph size(n=20000) size(n=1000) extent(next: n) extent(x: n) extent(y: n) input(next: uniform(0, n-1))
const float *pick(int n, const int *next, const float *x, const float *y)
{
    int at = 0;
    for (int i = 0; i < n; i++) at = next[at];
    if (x[at] < 0) return 0;
    return y[at] > x[at] ? &y[at] : x + at;
}
C
"$S" pick.c --device sim:h200 --no-learn -q --apply sequential --out out >stdout 2>stderr </dev/null; found search $?
ok number "$(grep -c '^long pick_cuda(int n, const int \*next, const float \*x, const float \*y);' out/best.h)" 1
ok pointer "$(grep -c '^const float \*pick_auto(int n, const int \*next, const float \*x, const float \*y);' out/best.h)" 1
cat >fake.c <<'C'
#include "fake_cuda.h"
void fake_kernel(void **a)
{
    int n = *(int *)a[0], at = 0, *next = *(int **)a[1];
    const float *x = *(float **)a[2], *y = *(float **)a[3];
    for (int i = 0; i < n; i++) at = next[at];
    **(long **)a[4] = x[at] < 0 ? -1 : 2 * (at + fake_is("wrong")) + (y[at] > x[at]);
}
C
cat >driver.c <<'C'
#include "out/best.h"
#include <stdio.h>
#include <stdlib.h>
extern int launches;
int main(void)
{
    enum { N = 1000 };
    float *x = calloc(N, 4), *y = calloc(N, 4);
    int *next = calloc(N, 4);
    printf("%d ", pick_auto(N, next, x, y) == x);
    next[0] = next[7] = 7, y[7] = 1;
    printf("%d ", pick_auto(N, next, x, y) == y + 7);
    x[7] = -1;
    printf("%d ", pick_auto(N, next, x, y) == NULL);
    printf("%d launches\n", launches);
    return 0;
}
C
(cd out && "$NVCC" -arch=sm_90 -Werror all-warnings -c best.cu && cc -O1 -w -c reference.c) >log 2>&1; ok compiles $? 0
cc -w -I"$FAKE_CUDA" -c fake.c "$FAKE_CUDA/runtime.c" && cc -Wall -Werror -c driver.c && cc -o app driver.o fake.o runtime.o out/best.o out/reference.o -lm -lstdc++ 2>stderr; ok links $? 0
run() { ./app "$@" 2>stderr; }
ok kernel "$(run)" '1 1 1 3 launches'
ok no-device "$(FAKE=none run)" '1 1 1 0 launches'
ok off "$(REGRAPH_OFF=1 run)" '1 1 1 0 launches'
ok checked "$(REGRAPH_CHECK=1 run)" '1 1 1 3 launches'
ok wrong "$(FAKE=wrong run)" '0 0 1 3 launches'
ok wrong-checked "$(REGRAPH_CHECK=1 FAKE=wrong run | cut -c1-5)" '1 1 1'

cat >twice.c <<'C'
#include <stdlib.h>
#pragma regraph size(n=20000) size(n=1000) extent(x: n)
float *twice(int n, const float *x)
{
    float *y = malloc(n * sizeof *y);
    if (!y) return NULL;
    for (int i = 0; i < n; i++) y[i] = 2 * x[i];
    return y;
}
C
"$S" twice.c --device sim:h200 --no-learn -q --apply parallelize --out memory >stdout 2>stderr </dev/null; found memory-search $?
ok memory-number "$(grep -c '^long twice_cuda(int n, const float \*x, float \*y);' memory/best.h)" 1
ok memory-pointer "$(grep -c '^float \*twice_auto(int n, const float \*x);' memory/best.h)" 1
cat >fake.c <<'C'
#include "fake_cuda.h"
void fake_kernel(void **a)
{
    static int calls;
    int n = *(int *)a[0];
    for (int i = 0; i < n && calls % 2 == 0; i++) (*(float **)a[2])[i] = (*(float **)a[1])[i] * (fake_is("wrong") ? 3 : 2);
    if (calls++ % 2) **(long **)a[0] = 0;
}
C
cat >driver.c <<'C'
#include "memory/best.h"
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    enum { N = 1000 };
    float *x = calloc(N, 4);
    for (int k = 1; k <= 2; k++) {
        x[N - 1] = k;
        float *y = twice_auto(N, x);
        printf("%g ", y ? y[N - 1] : -1);
        free(y);
    }
    printf("%d\n", twice_auto(-1, x) == NULL);
    return 0;
}
C
(cd memory && "$NVCC" -arch=sm_90 -Werror all-warnings -c best.cu && cc -O1 -w -c reference.c) >log 2>&1; ok memory-compiles $? 0
cc -w -I"$FAKE_CUDA" -c fake.c "$FAKE_CUDA/runtime.c" && cc -Wall -Werror -c driver.c && cc -o app driver.o fake.o runtime.o memory/best.o memory/reference.o -lm -lstdc++ 2>stderr; ok memory-links $? 0
ok memory-kernel "$(run)" '2 4 1'
ok memory-no-device "$(FAKE=none run)" '2 4 1'
ok memory-off "$(REGRAPH_OFF=1 run)" '2 4 1'
ok memory-checked "$(REGRAPH_CHECK=1 run)" '2 4 1'
ok memory-wrong "$(FAKE=wrong run)" '3 6 1'
ok memory-wrong-checked "$(REGRAPH_CHECK=1 FAKE=wrong run)" '2 4 1'
exit $fails
