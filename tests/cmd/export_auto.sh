#!/usr/bin/env bash
# NAME_auto of the exported files: with a CUDA runtime that this test makes up (the kernel is C there, right or wrong on demand), so that
# every way through it is walked without a GPU; then with the real one.
# test-deadline: 240
set -u
. tests/cmd/fake_cuda/export.bash
cat >scale.c <<'C'
#pragma regraph size(n=20000) size(n=1000) require(n % 4 == 0)
void scale(int n, float a, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] += a * x[i]; }
C
"$S" scale.c --device sim:h200 --no-learn -q --apply parallelize --out out >stdout 2>stderr </dev/null; found search $?
cat >fake.c <<'C'
#include "fake_cuda.h"
void fake_kernel(void **a)
{
    int n = *(int *)a[0];
    float s = *(float *)a[1], *x = *(float **)a[2], *y = *(float **)a[3];
    for (int i = 0; i < n; i++) y[i] += s * x[i] * (fake_is("wrong") && i == 7 ? 1.5f : 1);
}
C
cat >driver.c <<'C'
#include "out/best.h"
#include <stdio.h>
#include <stdlib.h>
extern int launches;
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), right = 1;
    float *x = malloc(4 * n), *y = malloc(4 * n);
    for (int i = 0; i < n; i++) x[i] = i % 10, y[i] = 1;
    for (int call = 1; call <= 3; call++) {
        if (argc > 2) scale_auto(n, 2, x, x); /* they overlap */
        else scale_auto(n, 2, x, y);
        for (int i = 0; i < n && argc == 2; i++) right = right && y[i] == 1 + 2 * call * (i % 10);
    }
    printf("%d launches, %s\n", launches, right ? "right" : "wrong");
    if (getenv("WHO")) printf("%d\n", scale_auto_used());
    return 0;
}
C
cat >planes.c <<'C'
double *planes[3][2];
void shift(int n, double a) { for (int r = 0; r < 3; r++) for (int k = 0; k < 2; k++) for (int i = 0; i < n; i++) planes[r][k][i] += a; }
C
"$S" planes.c --size n=1000 --device sim:h200 --no-learn -q --apply parallelize --out planes >stdout 2>stderr </dev/null; found planes $?
ok planes-no-auto "$(grep -c 'There is no shift_auto(): a file-scope table of pointers' planes/best.cu)" 1
(cd out && "$NVCC" -arch=sm_90 -Werror all-warnings -c best.cu && cc -O1 -w -c reference.c) >log 2>&1; ok compiles $? 0
cc -w -I"$FAKE_CUDA" -c fake.c "$FAKE_CUDA/runtime.c" && cc -Wall -Werror -c driver.c && cc -o app driver.o fake.o runtime.o out/best.o out/reference.o -lm -lstdc++ 2>stderr; ok links $? 0
run() { ./app "$@" 2>stderr; }
ok kernel "$(run 1000)" '3 launches, right'
ok no-device "$(FAKE=none run 1000)" '0 launches, right'; ok no-device-is-silent "$(cat stderr)" ''
ok used "$(WHO=1 run 1000 | tail -1)" 1; ok not-used "$(WHO=1 FAKE=none run 1000 | tail -1)" 0; ok not-used-after-a-fault "$(WHO=1 FAKE=fault run 1000 | tail -1)" 0
ok used-checked "$(WHO=1 REGRAPH_CHECK=1 run 1000 | tail -1)" 1
ok requirement "$(run 1001)" '0 launches, right'
ok overlap "$(run 1000 same)" '0 launches, right'
ok fault "$(FAKE=fault run 1000)" '1 launches, right'
ok fault-said "$(cat stderr)" 'scale_auto: unspecified launch failure; the C function is used from now on'
ok memory "$(FAKE=memory run 1000)" '0 launches, right'; ok memory-is-silent "$(cat stderr)" ''
ok off "$(REGRAPH_OFF=1 run 1000)" '0 launches, right'
ok unchecked "$(FAKE=wrong run 1000)" '3 launches, wrong'
ok checked "$(REGRAPH_CHECK=1 run 1000)" '3 launches, right'; ok checked-is-silent "$(cat stderr)" ''
ok mismatch "$(REGRAPH_CHECK=1 FAKE=wrong run 1000)" '1 launches, right'
ok mismatch-said "$(cat stderr)" 'scale_auto: y[7] is 22, the C function gives 15 (1 values differ); the C function is used from now on'
ok check-0 "$(REGRAPH_CHECK=0 FAKE=wrong run 1000)" '3 launches, wrong'
# without the C function there is nothing to fall back to
cc -o alone driver.o fake.o runtime.o out/best.o -lm -lstdc++ 2>stderr; ok alone-links $? 0; ok alone "$(./alone 1000 2>stderr)" '3 launches, right'
{ FAKE=none ./alone 1000; } >/dev/null 2>&1; [ $? -ne 0 ]; ok alone-without-a-device-fails $? 0

# an extent that is the larger of two: no size is refused for that
cat >two.c <<'C'
void two(int n, int m, float *x) { for (int i = 0; i < n; i++) x[i] += 1; for (int i = 0; i < m; i++) x[i] *= 2; }
C
"$S" two.c --size n=20000,m=10000 --device sim:h200 --no-learn -q --evals 1 --out two >stdout 2>stderr </dev/null; found two $?
printf '#include "two/best.h"\nfloat x[2000];\nint main(void) { two_auto(2000, 1000, x); int a = two_auto_used(); two_auto(1000, 2000, x); return !(a && two_auto_used()); }\n' >two_driver.c
echo 'void fake_kernel(void **a) { (void)a; }' >two_fake.c
(cd two && "$NVCC" -arch=sm_90 -c best.cu -o two.o) >log 2>&1 && cc -w -o two_app two_driver.c two_fake.c runtime.o two/two.o two/reference.c -lm -lstdc++ 2>stderr; ./two_app 2>stderr; ok larger-of-two $? 0

# file-scope arrays: the user's signature, the variables found by name
cat >grid.c <<'C'
#define N 500
float x[N], y[N];
int scale_by = 3, new;
void step(int n)
{
    for (int i = 0; i < n; i++) y[i] += scale_by * x[i] + new;
}
C
sed 's/^float x/static &/' grid.c >hidden.c
cat >grid_driver.c <<'C'
#include <stdio.h>
#include <string.h>
extern float y[];
extern int launches;
void step_auto(int n);
#ifdef SEEN
extern float x[];
#endif
int main(void)
{
    int right = 1;
#ifdef SEEN
    for (int i = 0; i < 500; i++) x[i] = i % 10;
#endif
    for (int call = 1; call <= 2; call++) {
        step_auto(500);
#ifdef SEEN
        for (int i = 0; i < 500; i++) right = right && y[i] == 3 * call * (i % 10);
#endif
    }
    printf("%d launches, %s\n", launches, right ? "right" : "wrong");
    return 0;
}
C
for f in grid hidden; do
    "$S" "$f.c" --function step --size n=500 --device sim:h200 --no-learn -q --apply parallelize --out "$f" >stdout 2>stderr </dev/null; found "$f-search" $?
    ok "$f-signature" "$(grep -c '^void step_auto(int n);' "$f/best.h")" 1
    (cd "$f" && "$NVCC" -arch=sm_90 -Werror all-warnings -c best.cu) >log 2>stderr; ok "$f-compiles" $? 0
done
# the kernel's arguments, by their names in the plan
cat >fake2.c <<'C'
#include "fake_cuda.h"
#include <stdlib.h>
void fake_kernel(void **a)
{
    int n = 0, by = 0;
    float *p[2] = {0, 0};
    for (const char *o = getenv("ORDER"), *k = o; *k; k++) {
        void *v = a[k - o];
        if (*k == 'n') n = *(int *)v;
        if (*k == 's') by = *(int *)v;
        if (*k == 'x') p[0] = *(float **)v;
        if (*k == 'y') p[1] = *(float **)v;
    }
    for (int i = 0; i < n; i++) p[1][i] += (by * p[0][i]) * (fake_is("wrong") && i == 7 ? 1.5f : 1);
}
C
export ORDER=$(sed -nE 's/^\/\/ step_kernel<<<.*>>>\((.*)\);$/\1/p' grid/best.cu | head -1 | tr -d ' ' | sed 's/scale_by/s/; s/new_/o/; s/,//g'); ok grid-kernel-arguments "$(echo "$ORDER" | grep -c '^[nosxy]*$')" 1
cc -w -I"$FAKE_CUDA" -c fake2.c grid.c && cc -w -DSEEN -c grid_driver.c && cc -o grid_app grid_driver.o fake2.o runtime.o grid/best.o grid.o -lm -lstdc++ 2>stderr; ok grid-links $? 0
ok grid-no-device "$(FAKE=none ./grid_app 2>stderr)" '0 launches, right'; ok grid-checked "$(REGRAPH_CHECK=1 FAKE=wrong ./grid_app 2>stderr)" '1 launches, right'
ok grid-mismatch "$(grep -c 'step_auto: y\[7\] is 31.5, the C function gives 21' stderr)" 1
# a static variable: NAME_auto stands in the C file, and another file's variable of that name is another variable
ok hidden-include "$(grep -c 'include "auto.c"' hidden/best.h)" 1
{ cat hidden.c; echo '#include "hidden/auto.c"'; echo 'void set(int i, float v) { x[i] = v; } float get(int i) { return y[i]; }'; } >hidden_in.c
sed 's/extern float x\[\];/void set(int i, float v); float x[500] = {7};/; s/extern float y\[\];/float get(int i); float y[500];/; s/x\[i\] = i % 10/set(i, i % 10)/; s/y\[i\]/get(i)/' grid_driver.c >hidden_driver.c
cc -Wall -Wextra -Werror -c hidden_in.c 2>stderr && cc -w -DSEEN -c hidden_driver.c && cc -o hidden_app hidden_driver.o fake2.o runtime.o hidden/best.o hidden_in.o -lm -lstdc++ 2>stderr; ok hidden-links $? 0
ok hidden-runs "$(./hidden_app 2>stderr)" '2 launches, right'; ok hidden-no-device "$(FAKE=none ./hidden_app 2>stderr)" '0 launches, right'
ok hidden-checked "$(REGRAPH_CHECK=1 FAKE=wrong ./hidden_app 2>stderr)" '1 launches, right'

# the real runtime: on a machine without a GPU the C function answers, with one the kernel does
make -s -C out check-auto NVCC="$NVCC" NVCCFLAGS=-arch=sm_90 >log 2>&1; ok make-check-auto $? 0
(cd out && REGRAPH_CHECK=1 ./check-auto) >stdout 2>stderr; ok check-auto $? 0; ok check-auto-said "$(tail -1 stdout)" ok
ran=$(grep -c 'by CUDA' stdout); c_ran=$(grep -c 'called the C function: no kernel ran' stdout); sizes=$(grep -c '^n=' stdout)
if nvidia-smi -L >/dev/null 2>&1; then ok check-auto-tells-who-ran "$ran $c_ran" "$sizes 0"; else ok check-auto-tells-who-ran "$ran $c_ran" "0 $sizes"; fi
rm out/best.o; make -s -C out best.o NO_AUTO=1 NVCC="$NVCC" NVCCFLAGS=-arch=sm_90 >log 2>&1; ok make-no-auto $? 0
ok no-auto "$(nm out/best.o | grep -c 'scale_auto\| scale$')" 0
exit $fails
