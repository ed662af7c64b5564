#!/usr/bin/env bash
# Functions that turn back at inputs drawn one by one are given such as belong together; where they work, or the user states them, nothing changes.
# test-deadline: 300
set -u
S=$(realpath "$BUILD")/regraph-search; G=$PWD/graphs/cuda.json
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
bad=0
cat >cholesky.c <<'C'
#include <math.h>
int cholesky(int n, double *a)
{
    for (int k = 0; k < n; k++) {
        if (a[k * n + k] <= 0) return k + 1;
        double d = sqrt(a[k * n + k]);
        for (int i = k; i < n; i++) a[i * n + k] /= d;
        for (int j = k + 1; j < n; j++)
            for (int i = j; i < n; i++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
    }
    return 0;
}
C
cat >pitched.c <<'C'
#include <math.h>
#include <stddef.h>
#define A(i, j) a[(size_t)(i) * lda + (j)]
int pitched(int n, double *a, int lda)
{
    for (int j = 0; j < n; j++) {
        double d = A(j, j);
        for (int k = 0; k < j; k++) d -= A(j, k) * A(j, k);
        if (d <= 0.0) return j + 1;
        A(j, j) = d = sqrt(d);
        for (int i = j + 1; i < n; i++) {
            double s = A(i, j);
            for (int k = 0; k < j; k++) s -= A(i, k) * A(j, k);
            A(i, j) = s / d;
        }
    }
    return 0;
}
C
cat >batch.c <<'C'
#include <math.h>
int batch(int batch, int n, float *a, int *info)
{
    for (int b = 0; b < batch; b++) {
        float *m = a + (long)b * n * n;
        info[b] = 0;
        for (int j = 0; j < n; j++) {
            float d = m[j * n + j];
            for (int k = 0; k < j; k++) d -= m[j * n + k] * m[j * n + k];
            if (d <= 0) { info[b] = j + 1; break; }
            d = sqrtf(d);
            m[j * n + j] = d;
            for (int i = j + 1; i < n; i++) {
                float s = m[i * n + j];
                for (int k = 0; k < j; k++) s -= m[i * n + k] * m[j * n + k];
                m[i * n + j] = s / d;
            }
        }
    }
    return 0;
}
C
cat >seidel.c <<'C'
int seidel(int n, const int *row, const int *col, const double *val, const double *b, double *x)
{
    for (int i = 0; i < n; i++) {
        double s = b[i], d = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            if (col[k] == i) d = val[k]; else s -= val[k] * b[col[k]];
        if (d == 0) return i + 1;
        x[i] = s / d;
    }
    return 0;
}
C
cat >ell.c <<'C'
int ell(int n, int width, const int *idx, const float *v, const float *b, float *d)
{
    for (int i = 0; i < n; i++) {
        float x = 0, s = 0;
        for (int e = 0; e < width; e++) {
            if (idx[i * width + e] == i) x += v[i * width + e];
            s += v[i * width + e] * b[idx[i * width + e]];
        }
        if (x <= 0) return 0;
        d[i] = s / x;
    }
    return 1;
}
C
cat >steps.c <<'C'
long steps(long n, long m, const int *at, const int *q, int *out)
{
    for (long k = 1; k < n; k++)
        if (at[k] <= at[k - 1]) return -1;
    for (long j = 0; j < m; j++) {
        long lo = 0, hi = n;
        while (lo < hi) {
            long mid = (lo + hi) / 2;
            if (at[mid] <= q[j]) lo = mid + 1; else hi = mid;
        }
        out[j] = (int)lo;
    }
    return m;
}
C
cat >loans.c <<'C'
struct loan { double amount, rate; int months; };
int loans(int n, const struct loan *l, int months, const double *index, double *paid)
{
    for (int i = 0; i < n; i++) {
        double b = l[i].amount;
        if (l[i].months <= 0 || b < 0) return i + 1;
        double sum = 0;
        for (int m = 0; m < months; m++) sum += b / l[i].months * (1 + index[m] * l[i].rate);
        paid[i] = sum;
    }
    return 0;
}
C
cat >works.c <<'C'
void works(long n, const float *x, float *y)
{
    for (long i = 1; i < n; i++) y[i] = x[i] > x[i - 1] ? x[i] : x[i - 1];
}
C
cat >spans.c <<'C'
typedef struct { unsigned char low_end, high_end; float value; } span_t;
float spans(const span_t *s, int n)
{
    for (int i = 1; i < n; i++)
        if (s[i].low_end != s[i - 1].high_end) return -1;
    float t = 0;
    for (int i = 0; i < n; i++) t += s[i].value * (s[i].high_end - s[i].low_end);
    return t;
}
C
run() { name=$1; shift; "$S" "$name.c" --graph "$G" --device sim:h200 --no-learn --evals 2 --time 100 --out "$name" --force "$@" >out 2>err </dev/null; rc=$?; }
ok() { if eval "$2"; then echo "ok $1"; else echo "not ok $1: exit $rc, $(grep -v '^ *[0-9]* of' err | head -c 300) $(grep inputs out)"; bad=1; fi; }
resume() { "$S" "$1.c" --graph "$G" --device sim:h200 --no-learn --evals 3 --time 100 --out "$1" --resume >out 2>err </dev/null; rc=$?; }
run cholesky; ok cholesky "[ $rc -le 1 ] && grep -q 'a=dominant(n)' out && ! grep -q 'hardly anything' out && grep -q 'verified    largest' out"
resume cholesky; ok resumed "[ $rc -le 1 ] && grep -q 'a=dominant(n)' out"
run cholesky --input 'a=uniform(-1, 1)'; ok "stated inputs stand, and that is said" "! grep -q dominant out && grep -q 'hardly anything on them' out"
run pitched; ok "rows further apart than they are long" "[ $rc -le 1 ] && grep -q 'a=dominant(lda)' out && ! grep -q 'hardly anything' out && grep -q 'verified    largest' out"
run batch; ok "a matrix each" "[ $rc -le 1 ] && grep -q 'a=dominant(n)' out && ! grep -q 'not one digit' out"
run seidel; ok rows "[ $rc -le 1 ] && grep -q 'col=rows(row.end, n, 0)' out && grep -q 'verified    largest' out"
run ell --size n=2000,width=9 --extent b=n; ok "rows of one length" "[ $rc -le 1 ] && grep -q 'idx=band(.*, n, 0)' out && ! grep -q 'hardly anything' out"
run steps; ok "in order" "[ $rc -le 1 ] && grep -q 'at=sorted(0, 4\*n - 1)' out && ! grep -q 'hardly anything' out"
run loans --size n=2000,months=300; ok "nothing below 0" "[ $rc -le 1 ] && grep -q 'l=uniform(1, 99)' out && ! grep -q 'hardly anything' out && grep -q 'verified    largest' out"
run works; ok "what works stays" "[ $rc -le 1 ] && ! grep -q 'sorted\|hardly' out"
run spans; ok "members by name" "[ $rc -le 1 ] && grep -q 's.low_end=affine(0, 1); s.high_end=affine(1, 1); s.value=uniform' out && grep -q '\"low_end\"' spans/problem.json"
resume spans; ok "members by name, resumed" "[ $rc -le 1 ] && grep -q 's.high_end=affine(1, 1)' out"
exit $bad
