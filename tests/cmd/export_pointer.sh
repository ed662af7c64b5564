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
exit $fails
