#!/usr/bin/env bash
# What a search says of a best whose time passes in one thread: how parallel it is, by the kernel that takes the time and not by the largest
# one, the place, the reason and what would lift it; and that the C is to be kept where nothing found is faster.
# test-deadline: 300
set -u
S=$(realpath "$BUILD")/regraph-search; G=$(realpath graphs/cuda.json)
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
cd "$W" || exit 1
fails=0
t() { if eval "$2"; then echo "ok $1"; else echo "not ok $1: exit $rc: $(head -c 600 err) $(head -c 1500 out)"; fails=1; fi; }
search() { timeout $((100 * ${SLOW:-1})) "$S" "$@" --device sim:h200 --no-learn --graph "$G" --evals 3 -q --out result --force >out 2>err </dev/null; rc=$?; }
cat >copy_and_chain.c <<'C'
void chain(int n, const double *a, double *restrict b, double *restrict c)
{
    for (int i = 0; i < n; i++) c[i] = 2 * a[i];
    for (int i = 1; i < n; i++) b[i] = b[i-1] * b[i-1] * 0.5 + 0.001 * a[i];
}
C
search copy_and_chain.c --size n=100000 --input 'b=uniform(0,1)'
t one-thread '[ $rc = 1 ] && grep -qE "^  parallel +NO: ONE THREAD, (9[0-9]|100)% of the time in one thread; kernel chain_kernel1 takes the most time, 1 thread$" out'
t reason 'grep -qE "^  one thread  loop i_2 \(copy_and_chain.c:4\) carries a dependence \(flow\) on b" out'
t lift 'grep -qF "what lifts it: an edit: what b is in an iteration, without the iteration before; or a model (--llm-url)" out'
t keep-your-c 'grep -qE "^  KEEP YOUR C: .*by estimate" out'
search copy_and_chain.c --size n=100000 --input 'b=uniform(0,1)' --json
t json-word 'grep -q "\"parallel\": \"one-thread\"" out && grep -q "\"keep_your_c\": true" out'
t json-threads 'grep -qE "\"threads\": 1(\.0)?,$" out && grep -q "\"kernel\": \"chain_kernel1\"" out'
t json-place 'grep -A99 "\"one_thread\"" out | grep -qE "\"line\": 4" && grep -q "\"lift\": \"an edit" out'
cat >triad.c <<'C'
void triad(int n, const float *x, const float *y, float *restrict z) { for (int i = 0; i < n; i++) z[i] = 3 * x[i] + y[i]; }
C
search triad.c --size n=4000000
t parallel '[ $rc = 0 ] && grep -qE "^  parallel    yes; kernel triad_kernel takes the most time, [0-9]+ threads$" out && ! grep -q "KEEP YOUR C\|one thread" out'
search triad.c --size n=4000000 --json
t json-parallel 'grep -q "\"parallel\": \"true\"" out && grep -q "\"keep_your_c\": false" out'
search triad.c --size n=64
t too-small '[ $rc = 1 ] && grep -q "KEEP YOUR C" out'
cat >both.c <<'C'
void both(int n, const double *a, const double *b, double *restrict c, double *restrict s)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i * n + j] = 0;
            for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
    for (int i = 1; i < n; i++) s[i] = s[i-1] * s[i-1] * 0.5 + 0.001 * a[i];
}
C
search both.c --size n=400 --input 's=uniform(0,1)'
t partly '[ $rc = 0 ] && grep -qE "^  parallel    PARTLY, [0-9]+% of the time in one thread" out && grep -q "one thread  loop i_2 (both.c:8)" out'
cat >ranked.c <<'C'
#include <stdlib.h>
static int by_size(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
long ranked(int n, int *x, long *below, int *step)
{
    long all = 0, sum = 0;
    qsort(x, n, sizeof *x, by_size);
    for (int i = 0; i < n; i++)
        step[i] = i ? x[i] - x[i - 1] : 0;
    for (int i = 0; i < n; i++)
        all += step[i] > 1;
    for (int i = 0; i < n; i++) {
        below[i] = sum;
        sum += x[i];
    }
    return all;
}
C
search ranked.c --size n=100000 --input 'x=uniform(0,1000000)'
t sums-at-once '[ $rc -le 1 ] && grep -qE "^  parallel +yes; " out && ! grep -q "^  one thread" out'
search ranked.c --size n=100000 --input 'x=uniform(0,1000000)' --set lone_steps=0
t sums-left '[ $rc -le 1 ] && grep -q "^  one thread" out'
exit $fails
