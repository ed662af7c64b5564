#!/usr/bin/env bash
# Wrong inputs of regraph-search: the exit code, a message that names the place, nothing lost.
# test-deadline: 400
set -u
S=$(realpath "$BUILD")/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
fails=0
# expect NAME CODE REGEX arguments...
expect() {
    name=$1; code=$2; re=$3; shift 3
    timeout 150 "$S" "$@" >"$W/stdout" 2>"$W/stderr" </dev/null; rc=$?
    if [ $rc -eq "$code" ] && grep -qE -- "$re" "$W/stderr"; then echo "ok $name"
    else echo "not ok $name: exit $rc (want $code), said: $(head -c 600 "$W/stderr")"; fails=1; fi
}
cd "$W" || exit 1
sim="--device sim:h200 --no-learn --evals 3 --out $W/o --force"
cat >ok.c <<'C'
void scale(int n, float a, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = a * x[i]; }
C
expect no-file-named 2 'which C file'
expect unknown-option 2 'frobnicate' ok.c --frobnicate
expect bad-number 2 'evals' ok.c --evals many
expect both-resume-force 2 'contradict' ok.c --resume --force
expect unknown-constant 2 "has no constant 'tune_priors'" ok.c --set tune_priors=0.5
expect constant-near 2 "did you mean 'tune_prior'" ok.c --set tune_priors=0.5
expect policy-near 2 "mcgs.uct.*did you mean 'greedy'" ok.c --policy gredy
expect limit-near 2 "did you mean 'shared'" ok.c --limit share=48k
expect allow-near 2 "did you mean 'tf32'" ok.c --allow tf23
expect input-near 3 "did you mean 'uniform'" ok.c --input 'x=unifrom(0, 1)' $sim
printf '#pragma regraph siez(n=10)\nvoid f(int n, float *x) { for (int i = 0; i < n; i++) x[i] += 1; }\n' >pragma.c
expect pragma-near 3 "pragma.c:1:.*did you mean 'size'" pragma.c $sim
cat >member.c <<'C'
typedef struct { int n; double *t; } grid;
void member(grid *g, int steps) { for (int s = 0; s < steps; s++) for (int i = 0; i < g->n; i++) g->t[i] += 1; }
C
expect size-by-its-names 3 "size g.n=300,steps=0: 'steps' is 0" member.c $sim --size g.n=300,steps=0
expect apply-near 2 "did you mean 'parallelize'" ok.c $sim --size n=1000 --evals 1 --apply paralelize --out apply
expect apply-needs-its-evals 2 'ends before the whole chain' ok.c $sim --size n=1000 --evals 1 --apply parallelize,coalesce,unroll --out apply
[ ! -e apply ]; [ $? -eq 0 ] && echo ok apply-leaves-nothing || { echo not ok apply-leaves-nothing; fails=1; }
cat >carries.c <<'C'
void carries(int n, float a[n])
{
    for (int i = 1; i < n; i++) a[i] = a[i - 1] * 0.5f + a[i] * a[i - 1];
}
C
expect apply-refused-where 3 'carries.c:3: --apply: .parallelize. is not legal.*C \(dependence\)' carries.c $sim --size n=1000 --apply parallelize
expect constant-out-of-range 2 'from 0 to 1' ok.c --set tune_prior=2
expect prune-what 2 'auto.on.off' ok.c --prune always
expect prune-nothing 2 'prune' ok.c --prune
expect prune-what-is-asked-for 2 'contradicts --prune on' ok.c --apply parallelize --prune on
expect coder-without-model 2 'llm-url' ok.c --coder llm
expect bad-target 2 'target' ok.c --target fast
expect missing-file 3 "missing.c.*No such file" missing.c $sim
echo 'this is not C at all;' >notc.c
expect not-c 3 'notc\.c:1:[0-9]+' notc.c $sim
echo 'int x;' >nofun.c
expect no-function 3 'no function' nofun.c $sim
cat >two.c <<'C'
void f(int n, float *x) { for (int i = 0; i < n; i++) x[i] += 1; }
void g(int n, float *x) { for (int i = 0; i < n; i++) x[i] *= 2; }
C
expect several-functions 3 'f.*g' two.c $sim --size n=100
expect unknown-function 3 "'h'" two.c $sim --function h --size n=100
cat >ext.c <<'C'
void f(int n, const int *first, const int *count, const float *x, float *y) { for (int i = 0; i < n; i++) for (int k = 0; k < count[i]; k++) y[i] += x[first[i] + 2 * k]; }
C
expect unknown-extent 3 "extent of 'x' cannot be read off the code: .*--extent 'x: " ext.c $sim --size n=100
# no size: one is proposed, and taken
"$S" ok.c $sim --evals 1 -q >stdout 2>stderr </dev/null; rc=$?
if [ $rc -le 1 ] && grep -q 'as nobody said what to time (--size n=' stdout; then echo "ok size-proposed"; else echo "not ok size-proposed: exit $rc"; fails=1; fi
expect size-zero 3 'n' ok.c $sim --size n=0
expect size-negative 3 'n' ok.c $sim --size n=-5
expect size-overflow 3 'n' ok.c $sim --size n=99999999999999999999
expect size-unknown-name 3 "'q'" ok.c $sim --size q=5
# members have the names that the C gives them
cat >member.c <<'C'
struct grid { int nx, ny; };
void f(struct grid p, const float *x, float *y)
{
    for (int i = 0; i < p.nx; i++)
        for (int j = 0; j < p.ny; j++) y[i * p.ny + j] = 2 * x[i * p.ny + j];
}
C
expect size-member 3 "size of 'p\.nx'" member.c $sim --size p.nx=abc,p.ny=3
expect size-member-unknown 3 "did you mean 'p\.nx'" member.c $sim --size p.nz=2
expect size-member-negative 3 "'p\.nx' is -2" member.c $sim --size p.nx=-2,p.ny=3
printf 'not a npy' >x.npy
expect npy-garbage 3 'x\.npy' ok.c $sim --size n=100 --input x=x.npy
cat >pp.c <<'C'
void f(int n, int m, float ****a) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j][0][0] = a[j][i][1][0] + 1; }
C
expect pointer-to-pointer 3 'a.*(flat|\[n\]\[m\]|one block)' pp.c $sim --size n=10,m=10
cat >crash.c <<'C'
void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i]; *(volatile int *)0 = 1; }
C
expect reference-crashes 3 '(SIGSEGV|crash)' crash.c $sim --size n=100
cat >member.c <<'C'
struct s { int n; const float *x; float w[9]; };
void f(const struct s *s, const int *k, float *y) { for (int i = 0; i < s->n; i++) y[i] = s->w[(k[i] % 100 + 1000) * 100000] + s->x[i]; }
C
expect reference-leaves-member 3 'far out of a local array or of s.w\[9\]' member.c $sim --size 's->n=100'
cat >hang.c <<'C'
void f(int n, const float *x, float *y) { while (1) if (n < 0) break; for (int i = 0; i < n; i++) y[i] = x[i]; }
C
expect reference-hangs 3 'did not (end|return)' hang.c $sim --size n=100
cat >oob.c <<'C'
#pragma regraph extent(x: n) extent(y: n)
void f(int n, const float *x, float *y) { for (int i = 0; i <= n; i++) y[i] = 2 * x[i]; }
C
expect reference-out-of-bounds 3 'out of bounds' oob.c $sim --size n=1000
cat >nan.c <<'C'
#include <math.h>
void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = sqrtf(-1.0f - x[i] * x[i]); }
C
expect reference-nan 3 '[nN]a[nN]' nan.c $sim --size n=1000
cat >rand.c <<'C'
#include <stdlib.h>
void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i] + rand(); }
C
expect not-deterministic 3 'determinis' rand.c $sim --size n=1000
echo '{"format": "regraph/1", "steps": [' >g1.json
expect graph-not-json 3 'g1\.json:[0-9]+' ok.c $sim --size n=1000 --graph g1.json
echo '{"format": "regraph/9", "name": "x", "steps": [], "edges": []}' >g2.json
expect graph-unknown-format 3 'regraph/9' ok.c $sim --size n=1000 --graph g2.json
expect graph-missing 3 'nowhere' ok.c $sim --size n=1000 --graph nowhere.json
mkdir full && touch full/x
expect out-not-empty 3 'not empty' ok.c --device sim:h200 --no-learn --size n=1000 --out full
touch afile
expect out-not-a-folder 3 'afile' ok.c --device sim:h200 --no-learn --size n=1000 --out afile/x
expect nothing-to-resume 3 'resume' ok.c --device sim:h200 --no-learn --size n=1000 --out none --resume
expect unknown-sim 4 'h200' ok.c --size n=1000 --device sim:nothing --out o2
expect no-such-gpu 4 'cuda' ok.c --size n=1000 --device cuda:99 --out o3
export CC=no-such-cc
expect no-compiler 4 'no-such-cc' ok.c $sim --size n=1000
unset CC
exit $fails
