#!/usr/bin/env bash
# What is stated in figures of the timed size goes with the sizes that are verified: bounds of indices (`uniform(0, 19999)` beside n=20000); and sizes
# that a loop takes whole steps of are multiples, which is said and checked.
# test-deadline: 300
set -u
S=$(realpath "$BUILD")/regraph-search; G=$PWD/graphs/cuda.json
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
cat >gather.c <<'C'
void aggregate(int nodes, int edges, int width, const int *from, const int *at, const float *h, float *out)
{
    for (int i = 0; i < nodes; i++)
        for (int c = 0; c < width; c++) {
            float s = 0;
            for (int e = from[i]; e < from[i + 1] && e < edges; e++) s += h[at[e] * width + c];
            out[i * width + c] = s;
        }
}
C
cat >deposit.c <<'C'
void deposit(int np, int cells, const float *x, float *rho)
{
    for (int i = 0; i < np; i++) rho[(int)x[i]] += 0.5f;
}
C
cat >alphabet.c <<'C'
void score(int n, int k, const int *a, const float *table, float *out)
{
    for (int i = 0; i < n; i++) out[i] = table[a[i] * 4 + i % 4] * k;
}
C
cat >blocks.c <<'C'
#define SIDE 4
static void average(const float *in, int stride, float *to)
{
    float s = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) s += in[y * stride + x];
    for (int k = 0; k < SIDE * SIDE; k++) to[k] = in[k / SIDE * stride + k % SIDE] - s / (SIDE * SIDE);
}
void blocks(const float *in, int w, int h, float *out)
{
    for (int y = 0; y < h; y += SIDE)
        for (int x = 0; x < w; x += SIDE) {
            average(in + y * w + x, w, out);
            out += SIDE * SIDE;
        }
}
C
cat >rest.c <<'C'
void halves(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i += 4)
        for (int k = i; k < i + 4 && k < n; k++) y[k] = x[k] * 0.5f;
}
C
bad=0
ok() { if eval "$2"; then echo "ok $1"; else echo "not ok $1: $(tail -n 3 out) $(tail -n 2 err)"; bad=1; fi; }
run() { local f=$1; shift; "$S" "$f".c --graph "$G" --device sim:h200 --no-learn --evals 2 --out "run_$f" --force "$@" >out 2>err </dev/null; }
run gather --size nodes=2000,edges=16000,width=16 --extent from=nodes+1 --extent at=edges --extent h=nodes*width --extent out=nodes*width \
    --input 'from=sorted(0,16000)' --input 'at=uniform(0,1999)'
ok "indices" "grep -q 'verified    largest error' out"
ok "indices said" "grep -q 'at up to nodes - 1, which is 1999 at the timed size' out"
run deposit --size np=20000,cells=1024 --extent x=np --extent rho=cells --input 'x=uniform(0,1024)'
ok "positions" "grep -q 'verified    largest error' out && grep -q 'x up to cells, which is 1024' out"
run alphabet --size n=5000,k=4 --extent a=n --extent table=16 --extent out=n --input 'a=uniform(0,3)'
ok "never more than stated" "grep -q 'verified    largest error' out"
run gather --size nodes=2000,edges=16000,width=16 --extent from=nodes+1 --extent at=edges --extent h=nodes*width --extent out=nodes*width \
    --input 'from=sorted(0,16000)' --input 'at=uniform(0,2500)'
ok "what is no size stays" "grep -q 'out of bounds' err"
run blocks --size w=128,h=64 --extent in=w*h --extent out=w*h
ok "blocks" "grep -q 'verified    largest error' out && grep -q 'parallel    yes' out"
ok "blocks said" "grep -q 'h a multiple of 4: the C leaves its arrays at other sizes' out"
run blocks --size w=128,h=62 --extent in=w*h --extent out=w*h
ok "other sizes are refused" "grep -q 'out of bounds' err"
run rest --size n=4096 --extent x=n --extent y=n
ok "a rest that is tested for" "grep -q 'verified    largest error' out && ! grep -q multiple out"
exit $bad
