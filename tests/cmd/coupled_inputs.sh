#!/usr/bin/env bash
# Functions of sparse matrices and other coupled arrays that stand alone: no extents, no inputs, no caller. How long an array is that the data
# of another lead into is a size of its own, inputs fit, and NAME_auto finds that size in the data of its call.
set -u
S=$(realpath "$BUILD")/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
bad=0
G=$PWD/graphs/cuda.json
cd "$W" || exit 1
cat >csr.c <<'C'
void spmv(int rows, const int *ptr, const int *idx, const double *val, const double *x, double *y)
{
    for (int r = 0; r < rows; r++) {
        double s = 0.0;
        for (int k = ptr[r]; k < ptr[r + 1]; k++) s += val[k] * x[idx[k]];
        y[r] = s;
    }
}
C
cat >csc.c <<'C'
void csc_mv(int nrow, int ncol, const int *colptr, const int *rowind, const double *val, const double *x, double *y)
{
    for (int i = 0; i < nrow; i++) y[i] = 0;
    for (int j = 0; j < ncol; j++)
        for (int p = colptr[j]; p < colptr[j + 1]; p++) y[rowind[p]] += val[p] * x[j];
}
C
cat >while.c <<'C'
void rows(double *y, const double *v, const int *c, const int *b, const double *x, int n)
{
    int i = 0;
    while (i < n) {
        int k = b[i], e = b[i + 1];
        double acc = 0;
        while (k < e) { acc += v[k] * x[c[k]]; k++; }
        y[i++] = acc;
    }
}
C
cat >coo.c <<'C'
void coo(const int *row, const int *col, const float *val, const float *x, float *y, int nnz)
{
    for (int k = 0; k < nnz; k++) y[row[k]] += val[k] * x[col[k]];
}
C
cat >bsr.c <<'C'
void bsr(int nb, const int *bp, const int *bj, const double *blk, const double *x, double *y)
{
    for (int i = 0; i < nb; i++) {
        double s0 = 0, s1 = 0;
        for (int k = bp[i]; k < bp[i + 1]; k++) {
            int j = bj[k];
            s0 += blk[4 * k] * x[2 * j] + blk[4 * k + 1] * x[2 * j + 1];
            s1 += blk[4 * k + 2] * x[2 * j] + blk[4 * k + 3] * x[2 * j + 1];
        }
        y[2 * i] = s0;
        y[2 * i + 1] = s1;
    }
}
C
cat >spmm.c <<'C'
void spmm(int m, int k, const int *rp, const int *ci, const float *v, const float *B, float *C)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++) {
            float s = 0;
            for (int p = rp[i]; p < rp[i + 1]; p++) s += v[p] * B[ci[p] * k + j];
            C[i * k + j] = s;
        }
}
C
cat >member.c <<'C'
typedef struct { int rows, cols, nnz; int *row_start; int *column; double *value; } sparse;
void product(const sparse *A, const double *x, double *y)
{
    for (int i = 0; i < A->rows; i++) {
        double sum = 0;
        for (int j = A->row_start[i]; j < A->row_start[i + 1]; j++) sum += A->value[j] * x[A->column[j]];
        y[i] = sum;
    }
}
C
cat >places.c <<'C'
void permute(int n, const int *p, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[p[i]] = x[i];
}
C
cat >from_one.c <<'C'
void amux(int n, const double *x, double *y, const double *a, const int *ja, const int *ia)
{
    for (int i = 0; i < n; i++) {
        double t = 0.0;
        for (int k = ia[i] - 1; k < ia[i + 1] - 1; k++) t += a[k] * x[ja[k] - 1];
        y[i] = t;
    }
}
C
cat >pieces.c <<'C'
void segsum(const float *data, const int *start, const int *end, float *out, int nseg)
{
    for (int s = 0; s < nseg; s++) {
        float t = 0;
        for (int i = start[s]; i < end[s]; i++) t += data[i];
        out[s] = t;
    }
}
C
cat >halves.c <<'C'
void lookup(const double *table, const double *value, int n, const double *q, double *out, int m)
{
    for (int i = 0; i < m; i++) {
        int lo = 0, hi = n - 1;
        while (hi - lo > 1) {
            int mid = (lo + hi) / 2;
            if (table[mid] > q[i]) hi = mid; else lo = mid;
        }
        double t = (q[i] - table[lo]) / (table[hi] - table[lo]);
        out[i] = value[lo] + t * (value[hi] - value[lo]);
    }
}
C
cat >diagonals.c <<'C'
void dia(int n, int nd, const int *off, const double *d, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[i] = 0;
    for (int k = 0; k < nd; k++)
        for (int i = 0; i < n; i++) {
            int j = i + off[k];
            if (j >= 0 && j < n) y[i] += d[k * n + i] * x[j];
        }
}
C
cat >ranks.c <<'C'
void step(int nv, const int *in_off, const int *in_src, const int *outdeg, const double *old, double *rank, double d)
{
    for (int v = 0; v < nv; v++) {
        double s = 0;
        for (int e = in_off[v]; e < in_off[v + 1]; e++) s += old[in_src[e]] / outdeg[in_src[e]];
        rank[v] = (1 - d) / nv + d * s;
    }
}
C
cat >ell.c <<'C'
void ell(int n, int width, const int *len, const int *col, const double *val, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < len[i]; k++) s += val[k * n + i] * x[col[k * n + i]];
        y[i] = s;
    }
}
C
cat >polygons.c <<'C'
static int inside(const float *vx, const float *vy, int nv, float x, float y)
{
    int in = 0;
    for (int i = 0, j = nv - 1; i < nv; j = i++)
        if ((vy[i] > y) != (vy[j] > y) && x < (vx[j] - vx[i]) * (y - vy[i]) / (vy[j] - vy[i]) + vx[i]) in = !in;
    return in;
}
void count(int np, int npoly, int nverts, const float *px, const float *py, const int *start, const float *vx, const float *vy, int *hits)
{
    for (int i = 0; i < np; i++) {
        hits[i] = 0;
        for (int k = 0; k < npoly; k++) hits[i] += inside(vx + start[k], vy + start[k], start[k + 1] - start[k], px[i], py[i]);
    }
}
C
cat >words.c <<'C'
enum { MOST = 32 };
void vowels(int n, int total, const int *at, const char *text, int *count)
{
    for (int k = 0; k < n; k++) {
        int len = at[k + 1] - at[k];
        if (len > MOST) len = MOST;
        const char *word = text + at[k];
        int c = 0;
        for (int i = 0; i < len; i++) c += word[i] == 'a' || word[i] == 'e';
        count[k] = c;
    }
}
C
cat >blocks.c <<'C'
void blocks(int nb, const int *ptr, const int *col, const double *blk, const double *x, double *y)
{
    for (int i = 0; i < nb; i++) {
        double acc[3] = {0};
        for (int j = ptr[i]; j < ptr[i + 1]; j++)
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++) acc[r] += blk[j * 9 + r * 3 + c] * x[col[j] * 3 + c];
        for (int r = 0; r < 3; r++) y[i * 3 + r] = acc[r];
    }
}
C
cat >stale.c <<'C'
void stale(int n, const int *at, const float *v, const int *keep, float *out)
{
    int len = 0;
    for (int k = 0; k < n; k++) {
        if (keep[k]) len = at[k + 1] - at[k];
        float s = 0;
        for (int i = 0; i < len; i++) s += v[at[k] + i];
        out[k] = s;
    }
}
C
cat >runs.c <<'C'
int runs(const unsigned char *s, int n, unsigned char *sym, int *cnt)
{
    int k = 0;
    for (int i = 0; i < n;) {
        int j = i;
        while (j < n && s[j] == s[i]) j++;
        sym[k] = s[i];
        cnt[k++] = j - i;
        i = j;
    }
    return k;
}
C
# what --explain says of a parameter, and that the C runs on these inputs
says() {
    name=$1 sizes=$2; shift 2
    "$S" "$name.c" --size "$sizes" --device sim:h200 --graph "$G" --no-learn --explain >"$name.txt" 2>"$name.err"
    rc=$?
    [ $rc -eq 0 ] || { echo "not ok coupled-$name: exit $rc: $(tail -n 1 "$name.err")"; bad=1; return; }
    for want; do
        grep -qE "$want" "$name.txt" || { echo "not ok coupled-$name: lacks '$want'"; bad=1; return; }
    done
    echo "ok coupled-$name"
}
says csr rows=5000 'idx +in +int\[ptr\.end\].*uniform\(0, x_size - 1\)' 'ptr +in +int\[rows \+ 1\].*prefix\(ptr_end\)' 'ptr.end +scalar long  \(how far the elements of ptr lead\)' 'rows=5000, ptr.end=40000, x.size=5000  timed'
says csc nrow=4000,ncol=5000 'rowind +in +int\[colptr\.end\].*uniform\(0, nrow - 1\)'
says while n=3000 'v +in +double\[b\.end\]' 'x +in +double\[x\.size\]'
says coo nnz=3000 'x +in +float\[x\.size\]' 'y +inout +float\[y\.size\]' 'col +in +int\[nnz\].*uniform\(0, x_size - 1\)'
says bsr nb=1000 'blk +in +double\[4\*bp\.end\]' 'x +in +double\[2\*x\.size\]'
says spmm m=500,k=16 'B +in +float\[B\.size\*k\]' 'ci +in +int\[rp\.end\].*uniform\(0, B_size - 1\)'
says member A.rows=2000,A.cols=3000,A.nnz=12000 'A\.column +in +int\[A\.row_start\.end\]' 'A\.row_start\.end=12000, x\.size=3000  timed'
says from_one n=2000 'ia +in .*prefix\(ia_end, 1\)' 'ja +in +int\[ia\.end\].*uniform\(1, '
says pieces nseg=2000 'start +in .*affine\(0, ' 'end +in .*affine\(max'
says halves n=3000,m=2000 'table +in +double\[n\].*sorted\(-1, 1\)' 'value +in +double\[n\]'
says diagonals n=2000,nd=5 'x +in +double\[n\]'
says ell n=4000,width=16 'val +in +double\[len\.end\*n\]' 'len +in .*uniform\(0, len_end\)' 'n=4000, width=16, len.end=16, x.size=4000  timed'
says polygons np=300,npoly=20,nverts=200 'vx +in +float\[start\.end\]' 'start +in .*prefix\(start_end\)' 'start.end=200  timed'
says words n=2000,total=20000 'text +in +char\[at\.end\]' 'at +in .*prefix\(at_end\)'
says blocks nb=1000 'x +in +double\[3\*x\.size\]' 'blk +in +double\[ptr\.end\*9\]'
cat >letters.c <<'C'
static int code(char c)
{
    switch (c) {
    case 'A': return 0;
    case 'C': return 1;
    case 'G': return 2;
    case 'T': return 3;
    default: return -1;
    }
}
void letters(int n, const char *s, const char *other, int *out, int *same)
{
    for (int k = 0; k < 4; k++) out[k] = 0;
    for (int i = 0; i < n; i++)
        if (code(s[i]) >= 0) out[code(s[i])]++;
    for (int i = 0; i < n; i++) same[i] = other[i] == '-' || other[i] == '|';
}
C
says letters n=100000 's +in .*choice\(65, 67, 71, 84, 85\)' 'other +in .*choice\(45, 124, 125\)'
"$S" letters.c --size n=100000 --device sim:h200 --graph "$G" --no-learn --evals 2 --out letters-out -q >letters.out 2>&1
if "${CC:-cc}" -w -Dmain=reference_main -c letters-out/reference.c -o reference.o && "${CC:-cc}" -w -c letters-out/check.c -o check.o &&
    grep -q CHECK_CHOICE letters-out/check.c; then echo "ok coupled-choice"; else echo "not ok coupled-choice: $(tail -n 1 letters.out)"; bad=1; fi
"$S" letters.c --size n=100 --input 's=choice(1,2,3,4,5,6,7,8,9)' --device sim:h200 --explain >choice.out 2>&1; rc=$?
if [ $rc -gt 0 ] && grep -q 'too many arguments: choice' choice.out; then echo "ok coupled-choices"; else echo "not ok coupled-choices: exit $rc"; bad=1; fi
cat >unclamped.c <<'C'
void look(int n, int m, const float *table, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        int k = (int)(x[i] * m);
        if (k < 0) k = 0;
        y[i] = table[k];
        if (k > m - 1) k = m - 1;
        y[i] += k;
    }
}
C
"$S" unclamped.c --size n=1000,m=100 --device sim:h200 --graph "$G" --no-learn --explain >unclamped.txt 2>unclamped.err; rc=$?
# the bound comes too late for the table
if [ $rc = 3 ] && grep -q "the extent of 'table' cannot be read off" unclamped.err; then echo "ok coupled-unclamped"; else echo "not ok coupled-unclamped: exit $rc"; bad=1; fi
"$S" stale.c --size n=1000 --device sim:h200 --graph "$G" --no-learn --explain >stale.txt 2>stale.err; rc=$?
# the length is perhaps that of another piece: nothing is known of where it ends
if [ $rc = 3 ] && grep -q "the extent of 'v' cannot be read off" stale.err; then echo "ok coupled-stale"; else echo "not ok coupled-stale: exit $rc"; bad=1; fi
"$S" runs.c --size n=1000 --extent s=n --extent sym=n --extent cnt=n --device sim:h200 --graph "$G" --no-learn --explain >runs.txt 2>&1; rc=$?
if [ $rc = 0 ]; then echo "ok coupled-runs"; else echo "not ok coupled-runs: exit $rc"; bad=1; fi
says ranks nv=2000 'outdeg +in .*uniform\(1, 99\)' 'old +in +double\[outdeg\.size\]'
"$S" places.c --size n=100000 --device sim:h200 --graph "$G" --no-learn --evals 2 --json >places.json 2>places.err
if grep -q '"parallel": "true"' places.json; then echo "ok coupled-places"; else echo "not ok coupled-places: $(tail -n 1 places.err)"; bad=1; fi
# the sizes that the exported function finds
"$S" csr.c --size rows=200000 --device sim:h200 --graph "$G" --no-learn --evals 2 --out exported -q >csr.out 2>csr.err
cat >call.c <<'C'
#include <stdio.h>
void spmv_auto(int, const int *, const int *, const double *, const double *, double *);
void spmv(int rows, const int *ptr, const int *idx, const double *val, const double *x, double *y) { (void)rows, (void)ptr, (void)idx, (void)val, (void)x, (void)y; }
void rg_spmv_auto(int rows, void *ptr, void *idx, void *val, void *x, void *y, long end, long size, void (*c)(void *), void *given)
{
    (void)ptr, (void)idx, (void)val, (void)x, (void)y, (void)c, (void)given;
    printf("%d %ld %ld\n", rows, end, size);
}
int main(void)
{
    int ptr[] = {0, 2, 2, 5}, idx[] = {3, 0, 6, 1, 2};
    double val[5] = {0}, x[7] = {0}, y[3];
    spmv_auto(3, ptr, idx, val, x, y);
    return 0;
}
C
if "${CC:-cc}" -o call call.c exported/auto.c 2>call.err && [ "$(./call)" = "3 5 7" ]; then echo "ok coupled-auto"; else
    echo "not ok coupled-auto: $(head -n 1 call.err) $(tail -n 1 csr.err)"; bad=1; fi
exit $bad
