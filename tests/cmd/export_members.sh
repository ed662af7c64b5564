#!/usr/bin/env bash
# NAME_cuda and NAME_auto where the C's own prototype says less, or more, than the kernel's: void pointers.
# The CUDA runtime is the one of tests/cmd/fake_cuda, the kernels are C here.
# test-deadline: 240
set -u
B=$(realpath "$BUILD"); S=$B/regraph-search; FAKE_CUDA=$(realpath tests/cmd/fake_cuda)
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
fails=0
found() { [ "$2" -le 1 ]; ok "$1" $? 0; } # a kernel was: at such sizes the C may well be faster
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'; $(head -c 400 stderr)"; fails=1; fi; }
NVCC=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$NVCC" ] || { echo "skip NAME_auto (no nvcc)"; exit 0; }
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
exit $fails
