#!/usr/bin/env bash
# NAME_auto of functions that take the first and the end of an array: it computes the sizes from the pointers, and calls the C with
# the very pointers where there is no kernel. What best.cu defines is a stand-in here, so that no CUDA is needed.
# test-deadline: 120
set -u
B=$(realpath "$BUILD"); S=$B/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'; $(head -c 400 stderr)"; fails=1; fi; }
search() { "$S" "$1.c" --function "$1" --device sim:h200 --no-learn -q --evals 1 --out "$1" >stdout 2>stderr </dev/null; [ $? -le 1 ]; ok "$1-search" $? 0; }

cat >part.c <<'C'
void part(float *first, float *middle, float *last, float k)
{
    for (float *p = first; p != middle; p++) *p *= k;
    while (last != middle) *--last += k;
}
C
search part
ok part-kernel-takes-sizes "$(grep -c '^void part_cuda(float \*first, float k, long middle_count, long last_count);' part/best.h)" 1
ok part-auto-takes-pointers "$(grep -c '^void part_auto(float \*first, float \*middle, float \*last, float k);' part/best.h)" 1
cat >part_driver.c <<'C'
#include "part/best.h"
#include <stdio.h>
static long seen[2];
void rg_part_auto(void *first, float k, long middle, long last, void (*c)(void *), void *given)
{
    (void)first, (void)k;
    seen[0] = middle, seen[1] = last;
    c(given);
}
int main(void)
{
    float x[10] = {0};
    for (int i = 0; i < 10; i++) x[i] = 1;
    part_auto(x + 1, x + 4, x + 9, 3);
    printf("%ld %ld:", seen[0], seen[1]);
    for (int i = 0; i < 10; i++) printf(" %g", x[i]);
    return 0;
}
C
cc -Wall -Wextra -Werror -o part_app part_driver.c part/auto.c part.c 2>stderr; ok part-compiles $? 0
ok part-runs "$(./part_app)" '3 8: 1 3 3 3 4 4 4 4 4 1'

cat >pairs.c <<'C'
struct point { double x, m; };
double pairs(const struct point *p, const struct point *const p_end, const int *from, const int *to)
{
    double s = 0;
    for (; p < p_end; p++) s += p->x * p->m;
    while (from <= to) s += *from++;
    return s;
}
C
search pairs
cat >pairs_driver.c <<'C'
struct point { double x, m; };
#include "pairs/best.h"
#include <stdio.h>
static long seen[2];
double rg_pairs_auto(const void *p, const void *from, long points, long last, double (*c)(void *), void *given)
{
    (void)p, (void)from;
    seen[0] = points, seen[1] = last;
    return c(given);
}
int main(void)
{
    struct point p[] = {{1, 2}, {3, 4}, {5, 6}};
    int x[] = {7, 8, 9};
    double s = pairs_auto(p, p + 3, x, x + 2);
    printf("%g %ld %ld", s, seen[0], seen[1]);
    return 0;
}
C
cc -Wall -Wextra -Werror -o pairs_app pairs_driver.c pairs/auto.c pairs.c 2>stderr; ok pairs-compiles $? 0
ok pairs-runs "$(./pairs_app)" '68 3 2'
# the C that candidates are compared with gets the pointers that the sizes stand for
ok pairs-reference "$(grep -cE 'pairs\(rg_a\[[0-9]\], \(struct point \*\)rg_a\[[0-9]\] \+ \*\(long \*\)rg_a\[[0-9]\],' pairs/reference.c)" 1

# How far data lead is read off them: off none where there are none, as before a set-up.
cat >rows.c <<'C'
static int n_rows, *ptr, *col;
static double *val, *from;
void park(int n, int *p, int *c, double *v, double *x) { n_rows = n, ptr = p, col = c, val = v, from = x; }
void rows(double *y)
{
    for (int i = 0; i < n_rows; i++) {
        y[i] = 0;
        for (int k = ptr[i]; k < ptr[i + 1]; k++) y[i] += val[k] * from[col[k]];
    }
}
C
search rows
cat >rows_driver.c <<'C'
#include "rows.c"
#include "rows/auto.c"
#include <stdio.h>
static void say(int n, long entries, long columns) { printf("%d:%ld,%ld ", n, entries, columns); }
void rg_rows_auto(void *y, int n, void *a, void *b, void *c, void *d, long entries, long columns, void (*f)(void *), void *given)
{
    (void)y, (void)a, (void)b, (void)c, (void)d;
    say(n, entries, columns);
    f(given);
}
int rg_rows_open(int n, void *a, void *b, void *c, void *d) { (void)a, (void)b, (void)c, (void)d; return n; }
void rg_rows_close(int n, void *a, void *b, void *c, void *d) { (void)n, (void)a, (void)b, (void)c, (void)d; }
void rg_rows_run(void *y, int n, void *a, void *b, void *c, void *d, long entries, long columns, void (*f)(void *), void *given)
{
    rg_rows_auto(y, n, a, b, c, d, entries, columns, f, given);
}
int main(void)
{
    int p[] = {0, 2, 3}, c[] = {0, 4, 1};
    double v[] = {1, 2, 3}, x[] = {1, 1, 1, 1, 5}, y[2] = {9, 9};
    rows_auto(y);
    printf("%g ", y[0]);
    park(2, p, c, v, x);
    rows_auto(y);
    printf("%g %g", y[0], y[1]);
    return 0;
}
C
cc -Wall -Wextra -Werror -o rows_app rows_driver.c 2>stderr; ok rows-compiles $? 0
ok rows-runs "$(./rows_app)" '0:1,1 9 2:3,5 11 3'

NVCC=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
if [ -x "$NVCC" ]; then
    for f in part pairs; do (cd $f && "$NVCC" -arch=sm_90 -Werror all-warnings -c best.cu) >stderr 2>&1; ok "$f-kernel-compiles" $? 0; done
else
    echo "skip kernels compile (no nvcc)"
fi

# Nothing was made for loops without iterations: the C takes calls with them.
cat >empty.c <<'C'
#pragma regraph size(m=300, n=4) size(m=7, n=2) extent(x: m) extent(out: m) require(n <= 5)
void empty(int m, int n, const double *x, double *out)
{
    double a[8];
    for (int k = 0; k < 8; k++) a[k] = 0;
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 4; j++) a[i + j] = x[t] * j;
        out[t] = a[0] + a[1] + a[3] + 1;
    }
}
C
search empty
ok empty-extent "$(grep -c 'm) < 1) return "an extent of x, out is not positive"' empty/best.cu)" 1
ok empty-loop "$(grep -c 'n) < 1) return "n is not positive"' empty/best.cu)" 1

# Integers behind pointers are values of the call; where a pointer is null, the C is called as it was.
cat >behind.c <<'C'
int behind(const int *n, const int *stride, double *x)
{
    if (!n) return -1;
    for (int i = 0; i < *n; i++) x[i * *stride] += 1;
    return 0;
}
C
cat >plain.c <<'C'
void plain(const int *n, const int *stride, double *x)
{
    for (int i = 0; i < *n; i++) x[i * *stride] += 1;
}
C
search behind; search plain
ok behind-asked-for "$(grep -c 'const int \*__restrict__ n' behind/best.cu)" 1
ok plain-takes-values "$(grep -c '^void plain_cuda(double \*x, int n, int stride);' plain/best.h)" 1
cat >plain_driver.c <<'C'
#include "plain/best.h"
#include <stdio.h>
void rg_plain_auto(void *x, int n, int stride, void (*c)(void *), void *given)
{
    (void)x;
    printf("%d %d:", n, stride);
    c(given);
}
int main(void)
{
    double x[6] = {0};
    int n = 3, stride = 2;
    plain_auto(&n, &stride, x);
    for (int i = 0; i < 6; i++) printf(" %g", x[i]);
    return 0;
}
C
cc -Wall -Wextra -Werror -o plain_app plain_driver.c plain/auto.c plain.c 2>stderr; ok plain-compiles $? 0
ok plain-runs "$(./plain_app)" '3 2: 1 0 1 0 1 0'
exit $fails
