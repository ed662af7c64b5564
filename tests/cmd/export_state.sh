#!/usr/bin/env bash
# File-scope state of exported programs: NAME_open, NAME_run and NAME_close keep it on the device between calls, NAME_auto transfers it each time;
# both stand in the C file, whose static variables they name. The CUDA runtime is the one of tests/cmd/fake_cuda, the kernel is C here.
# test-deadline: 120
set -u
B=$(realpath "$BUILD"); S=$B/regraph-search; FAKE_CUDA=$(realpath tests/cmd/fake_cuda)
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'; $(head -c 400 stderr)"; fails=1; fi; }
NVCC=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$NVCC" ] || { echo "skip NAME_run (no nvcc)"; exit 0; }
cat >filter.c <<'C'
#include <stdlib.h>
struct filter { int n; float gain; float *state; const float *taps; };
static struct filter filter;
static int calls;
void filter_setup(int n, float gain, const float *taps)
{
    filter.n = n;
    filter.gain = gain;
    filter.taps = taps;
    filter.state = calloc(n, sizeof(float));
}
void filter_apply(const float *x, float *y)
{
    for (int i = 0; i < filter.n; i++) {
        filter.state[i] += filter.gain * x[i];
        y[i] = filter.state[i] * filter.taps[i];
    }
    calls += 1;
}
float filter_state(int i) { return filter.state[i]; }
int filter_calls(void) { return calls; }
C
"$S" filter.c --function filter_apply --init filter_setup --size n=1000000 --device sim:h200 --no-learn -q --apply parallelize --out out >stdout 2>stderr </dev/null; ok search $? 0
ok signature "$(grep -cE '^(int filter_apply_open\(void\)|void filter_apply_(run|auto)\(const float \*x, float \*y\)|void filter_apply_close\(void\));' out/best.h)" 4
order=$(sed -nE 's/^\/\/ [a-z_0-9]+<<<.*>>>\((.*)\);$/\1/p' out/best.cu | grep filter_n | head -1)
cat >kernel.c <<'C'
#include "fake_cuda.h"
#include <string.h>
static void *arg(void **a, const char *name)
{
    const char *order = ORDER;
    for (int k = 0;; k++) {
        while (*order == ' ') order++;
        size_t m = strcspn(order, ",");
        if (m == strlen(name) && !strncmp(order, name, m)) return a[k];
        if (!order[m]) return 0;
        order += m + 1;
    }
}
void fake_kernel(void **a)
{
    if (launches % 2 == 0) return; /* the kernel that counts calls */
    int *n = arg(a, "filter_n");
    float gain = *(float *)arg(a, "filter_gain"), *state = *(float **)arg(a, "filter_state"), *taps = *(float **)arg(a, "filter_taps"), *x = *(float **)arg(a, "x"),
          *y = *(float **)arg(a, "y");
    for (int i = 0; i < *n; i++) {
        state[i] += gain * x[i];
        y[i] = state[i] * taps[i];
    }
}
C
cat >driver.c <<'C'
#include "out/best.h"
#include <stdio.h>
void filter_setup(int n, float gain, const float *taps);
float filter_state(int i);
extern int launches;
int main(int argc, char **argv)
{
    static float taps[1000], x[1000], y[1000];
    for (int i = 0; i < 1000; i++) taps[i] = i % 5, x[i] = i % 3;
    filter_setup(1000, 2, taps);
    int opened = argc > 1 ? -1 : filter_apply_open(), right = 1;
    for (int call = 1; call <= 3; call++) {
        if (argc > 1) filter_apply_auto(x, y);
        else filter_apply_run(x, y);
        for (int i = 0; i < 1000; i++) right = right && y[i] == 2 * call * (i % 3) * (i % 5);
    }
    printf("opened %d, host's copy %g, ", opened, filter_state(2));
    if (argc == 1) filter_apply_close();
    printf("at the end %g, %s, %s\n", filter_state(2), right ? "right" : "wrong", launches ? "on the device" : "in C");
    return 0;
}
C
(cd out && "$NVCC" -arch=sm_90 -Werror all-warnings -c best.cu) >log 2>stderr; ok compiles $? 0
{ cat filter.c; echo '#include "out/auto.c"'; } >filter_in.c
cc -Wall -Wextra -Werror -c filter_in.c 2>stderr && cc -w -I"$FAKE_CUDA" -DORDER="\"$order\"" -c kernel.c "$FAKE_CUDA/runtime.c" 2>stderr && cc -Wall -Werror -c driver.c 2>stderr &&
    cc -o app driver.o filter_in.o kernel.o runtime.o out/best.o -lm -lstdc++ 2>stderr; ok links $? 0
ok kept "$(./app 2>stderr)" "opened 0, host's copy 0, at the end 12, right, on the device"
ok each-time "$(./app auto 2>stderr)" "opened -1, host's copy 12, at the end 12, right, on the device"
ok no-device "$(FAKE=none ./app 2>stderr)" "opened 1, host's copy 12, at the end 12, right, in C"
ok no-device-each-time "$(FAKE=none ./app auto 2>stderr)" "opened -1, host's copy 12, at the end 12, right, in C"
exit $fails
