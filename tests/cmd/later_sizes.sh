#!/usr/bin/env bash
# Sizes that data decide (ptr.end, x.size) can be stated as any other, and extents in them.
set -u
S=${BUILD:-build}/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
fails=0
ok() { if [ "$1" = 0 ]; then echo "ok $2"; else echo "not ok $2: $(head -c 300 "$W/err")"; fails=1; fi; }
cat >"$W/spmv.c" <<'C'
void spmv(int n, const int *ptr, const int *col, const float *val, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = ptr[i]; k < ptr[i + 1]; k++) s += val[k] * x[col[k]];
        y[i] = s;
    }
}
C
cat >"$W/blocks.c" <<'C'
void blocks(int n, const int *ptr, const double *val, double *at, double *sum)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = ptr[i]; k < ptr[i + 1]; k++) {
            const double *b = val + 9 * (long)k;
            s += b[0] + b[4] + b[8];
            if (s > 1e30) at[k] = s;
        }
        sum[i] = s;
    }
}
C
"$S" "$W/spmv.c" --size 'n=50,ptr.end=700,x.size=33' --explain >"$W/out" 2>"$W/err"
grep -q 'n=50, ptr.end=700, x.size=33 *timed' "$W/out"; ok $? stated
"$S" "$W/spmv.c" --size 'n=50,ptr_end=700' --explain >"$W/out" 2>"$W/err"
grep -q 'n=50, ptr.end=700, x.size=50 *timed' "$W/out"; ok $? underscore
"$S" "$W/spmv.c" --size 'n=50,col.end=700' --explain >"$W/out" 2>"$W/err"; rc=$?
[ $rc = 3 ] && grep -q "'col.end' is no parameter of spmv; it has .*ptr.end" "$W/err"; ok $? unknown
"$S" "$W/spmv.c" --size 'n=50,ptr.end=0' --explain >"$W/out" 2>"$W/err"; rc=$?
[ $rc = 3 ] && grep -q 'ptr.end=0 must be positive' "$W/err"; ok $? none
"$S" "$W/blocks.c" --size 'n=50,ptr.end=700' --extent 'at: ptr.end' --explain >"$W/out" 2>"$W/err"
grep -q 'val .*double\[9\*ptr.end\]' "$W/out" && grep -q 'at .*double\[ptr.end\]' "$W/out"; ok $? extent
exit $fails
