#!/usr/bin/env bash
# NAME_cuda and NAME_auto where the C's own prototype says less, or more, than the kernel's: void pointers, sizes in array members.
# The CUDA runtime is the one of tests/cmd/fake_cuda, the kernels are C here.
# test-deadline: 240
set -u
. tests/cmd/fake_cuda/export.bash
# build NAME: searched, compiled and linked with NAME.c, NAME_kernel.c and NAME_driver.c as the program NAME_app
build()
{
    "$S" "$1.c" --device sim:h200 --no-learn -q --apply parallelize --out "$1" "${@:2}" >stdout 2>stderr </dev/null; found "$1-search" $?
    (cd "$1" && "$NVCC" -arch=sm_90 -Werror all-warnings -c best.cu && cc -O1 -w -c reference.c && cc -Wall -Werror -c check.c && { [ ! -f auto.c ] || cc -Wall -Wextra -Werror -c auto.c; } ) >log 2>stderr; ok "$1-compiles" $? 0
    cc -w -I"$FAKE_CUDA" -c "$1_kernel.c" "$FAKE_CUDA/runtime.c" 2>stderr && cc -O1 -Wall -Werror -c "$1.c" -Wno-unknown-pragmas && cc -Wall -Wextra -Werror -I. -c "$1_driver.c" 2>stderr; ok "$1-parts-compile" $? 0
    cc -o "$1_app" "$1_driver.o" "$1_kernel.o" runtime.o "$1"/best.o $(ls "$1"/auto.o 2>/dev/null) "$1.o" -lm -lstdc++ 2>stderr; ok "$1-links" $? 0
}

# what the void pointers lead to, the code says: callers hand over what they like, without a cast, and so does a pointer to the function
cat >mix.c <<'C'
#pragma regraph size(n=3000) size(n=100)
static short at(const short *p, int i) { return p[i]; }
void mix(void *sum, const void *terms, int n)
{
    float *to = sum;
    for (int i = 0; i < n; i++) to[i] += at(terms, i);
}
C
cat >mix_kernel.c <<'C'
#include "fake_cuda.h"
void fake_kernel(void **a)
{
    float *to = *(float **)a[0];
    short *from = *(short **)a[1];
    for (int i = 0; i < *(int *)a[2]; i++) to[i] += from[i] + (fake_is("wrong") && i == 7);
}
C
cat >mix_driver.c <<'C'
#include "mix/best.h"
#include <stdio.h>
extern int launches;
void mix(void *sum, const void *terms, int n);
int main(void)
{
    void (*const way[])(void *, const void *, int) = {mix, mix_auto, mix_cuda};
    float sum[100] = {0};
    short terms[100];
    int right = 1;
    for (int i = 0; i < 100; i++) terms[i] = (short)(i - 50);
    for (int k = 0; k < 3; k++) way[k](sum, terms, 100);
    mix_auto(sum, terms, 100);
    for (int i = 0; i < 100; i++) right = right && sum[i] == 4 * (i - 50);
    printf("%d launches, %s\n", launches, right ? "right" : "wrong");
    return 0;
}
C
build mix
ok prototype "$(grep -c '^void mix_auto(void \*sum, const void \*terms, int n);' mix/best.h)" 1
ok kernel "$(./mix_app 2>stderr)" '3 launches, right'
ok checked "$(REGRAPH_CHECK=1 ./mix_app 2>stderr)" '3 launches, right'; ok checked-is-silent "$(cat stderr)" ''
ok mismatch "$(REGRAPH_CHECK=1 FAKE=wrong ./mix_app 2>stderr)" '2 launches, wrong'

# sizes that an array member holds: NAME_auto takes them out of the structure, NAME_cuda is given both
cat >grid.c <<'C'
typedef struct { float h; int dim[3]; } grid;
#pragma regraph size(g.dim[0]=40, g.dim[1]=30) size(g->dim[0]=7, g->dim[1]=5) extent(u: g.dim[0]*g.dim[1])
void heat(const grid *g, float *u)
{
    for (int x = 0; x < g->dim[0]; x++) u[x * g->dim[1]] += g->h * x;
}
C
cat >grid_kernel.c <<'C'
#include "fake_cuda.h"
void fake_kernel(void **a)
{
    const struct { float h; int dim[3]; } *g = *(void **)a[0];
    float *u = *(float **)a[1];
    int first = *(int *)a[2], other = *(int *)a[3]; /* in either order */
    if (first * other != g->dim[0] * g->dim[1] || (first != g->dim[0] && first != g->dim[1])) __builtin_trap();
    for (int i = 0; i < g->dim[0]; i++) u[i * g->dim[1]] += g->h * i;
}
C
cat >grid_driver.c <<'C'
typedef struct { float h; int dim[3]; } grid;
#include "grid/best.h"
#include <stdio.h>
extern int launches;
int main(void)
{
    grid g = {0.5f, {7, 5, 900}};
    float u[35] = {0};
    int right = 1;
    for (int k = 0; k < 2; k++) heat_auto(&g, u);
    for (int i = 0; i < 35; i++) right = right && u[i] == (i % 5 ? 0 : (float)(i / 5));
    printf("%d launches, %s\n", launches, right ? "right" : "wrong");
    return 0;
}
C
build grid
ok grid-prototype "$(grep -c '^void heat_auto(const grid \*g, float \*u);' grid/best.h)" 1
ok grid-says "$(grep -c 'u: read and written, g.dim\[[01]\]\*g.dim\[[01]\] elements' grid/best.h)" 1
ok grid-kernel "$(./grid_app 2>stderr)" '2 launches, right'
ok grid-checked "$(REGRAPH_CHECK=1 ./grid_app 2>stderr)" '2 launches, right'; ok grid-checked-is-silent "$(cat stderr)" ''
ok grid-off "$(REGRAPH_OFF=1 ./grid_app 2>stderr)" '0 launches, right'
"$S" grid.c --size 'g.dim[0]=30,g.dim[1]=20' --extent 'u: g.dim[0]*g->dim[1]' --device sim:h200 --no-learn -q --apply parallelize --out options >stdout 2>stderr </dev/null; found grid-options $?
"$S" grid.c --size 'g.dim[0]=30,g.dim[3]=20' --device sim:h200 --no-learn -q --out wrong >stdout 2>stderr </dev/null; ok grid-unknown $? 3
ok grid-unknown-said "$(grep -c "'g.dim\[3\]' is no parameter of heat; it has g, u, g.dim\[0\], g.dim\[1\]" stderr)" 1
exit $fails
