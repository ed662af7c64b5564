#!/usr/bin/env bash
# What a small model is told that gets nothing right, on two programs that nobody has tuned for it: each attempt comes
# back with all that was wrong with it, where, and at which sizes; what is said of the problem is true and of its kind.
# test-deadline: 120
set -u
command -v python3 >/dev/null || { echo "skip told (no python3)"; exit 0; }
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
unset OPENAI_API_KEY
bad=0
say() { if [ "$1" -eq 0 ]; then echo "ok $2"; else echo "not ok $2: $3"; bad=1; fi; }
T=tests/llm/told
# name, calls, folder of replies and C: the requests, one after the other, in $W/NAME
play() {
    d=${3:-$T}
    timeout 50 "$BUILD/tests/llm/make_record" "$d" "$W/$1.record" told "$BUILD/regraph-search" "$d/$1.c" --coder llm \
        --llm-model told --device sim:h200 --graph graphs/cuda.json --no-learn --no-report --evals 4 --max-calls "$2" \
        --llm-in-flight 1 --out "$W/$1.out" >/dev/null 2>"$W/$1.err" </dev/null
    python3 - "$W/$1.record" >"$W/$1" <<'P'
import json, sys
parts = {}
for line in open(sys.argv[1]):
    o = json.loads(line)
    if "part" in o:
        parts[o["part"]] = o["text"]
    for m in o.get("messages", []):
        print("\n".join(parts[p.split(":")[-1]] for p in m["parts"]))
P
    n=$(grep -c '^# The step to apply' "$W/$1"); [ "$n" -eq "$2" ]; say $? "$1-asked" "$n requests: $(tail -n 1 "$W/$1.err")"
}
told() { grep -qF -- "$3" "$W/$2"; say $? "$1" "'$3' is not said"; }
not_told() { ! grep -qF -- "$3" "$W/$2"; say $? "$1" "'$3' is said"; }

play chains 3
told comment chains '* Rounds go on until nothing moves; weights are the seconds a task takes. */'
not_told init-helper chains make_tasks
told ranges chains 'in, when timed 1 .. 9'
told degrees chains 'ascending by 0 .. 4, 2.67 on average'
told rounds chains '`while (moved)`: when timed, the C goes 2 rounds of this loop'
told rounds-in-words chains '`while (moved)`: sequential: whether it goes on is known only after each round'
told example chains 'Shortest distances'
# out of bounds: kernel, line and its text, thread, array, index, sizes, what to do
told stray chains "kernel init, line 2, block (0,0,0), thread (3,0,0): read of 4 bytes at offset 12 of 'cost', which has 12 bytes (index 3) (at n=3, m=5)"
told stray-line chains 'line 2: __global__ void init(int n, const int *cost, int *finish) { int v ='
told stray-advice chains 'Guard that access: the sizes are rarely multiples of the block.'
# a plan with four faults: all of them in one request, with the lines as the model wrote them
told plan-name chains "plan:2:17: unknown name 'nn'"
told plan-arguments chains "plan:2:1: 'init' takes 3 arguments, not 2"
told plan-second-name chains "plan:3:41: unknown name 'costs'"
told plan-kernel chains "plan:3:1: the source does not define a kernel 'round'; of the plan's kernels it has init"
told plan-line chains 'line 3: round<<<ceil_div(n, BLOCK), BLOCK>>>(n, costs, finish);'

# name, calls: a small program, and what is sent each time
again() {
    mkdir "$W/$1.d"
    printf 'void twice(int n, const float x[n], float y[n])\n{\n    for (int i = 0; i < n; i++) y[i] = 2 * x[i];\n}\n' >"$W/$1.d/$1.c"
    cat >"$W/$1.d/first.txt"; printf '* * first.txt\n' >"$W/$1.d/rules"
    play "$1" "$2" "$W/$1.d"
}
# what can't be read in a plan keeps nothing else from being told
again syntax 2 <<'R'
```cuda
__global__ void twice(const float *x, float *y, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
```
```plan
scratch int moved 1];
fill(moved, 0);
twice<<<ceil_div(m, 256), 256>>>(x, y, n);
```
R
told syntax-told syntax "plan:1:19: expected '[' and the number of elements"
told syntax-name syntax "plan:3:18: unknown name 'm'"
not_told syntax-declared syntax "'moved' is no buffer"
# a grid-wide sync without a cooperative launch, and a barrier that some threads skip, are named as what they are
again grid-sync 4 <<'R'
```cuda
namespace cg = cooperative_groups;
__global__ void twice(const float *x, float *y, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    cg::this_grid().sync();
    if (i < n) y[i] = 2 * x[i];
}
```
```plan
twice<<<ceil_div(n, 256), 256>>>(x, y, n);
```
R
told grid-sync-named grid-sync 'grid.sync() in a launch that is not [cooperative] (at n=3)'
told grid-sync-line grid-sync 'line 6: cg::this_grid().sync();'
told grid-sync-advice grid-sync 'a grid-wide sync needs a [cooperative] launch'
again barrier 2 <<'R'
```cuda
__global__ void twice(const float *x, float *y, int n)
{
    __shared__ float t[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        t[threadIdx.x] = x[i];
        __syncthreads();
    }
    float v = i < n ? t[threadIdx.x] : 0;
    __syncthreads();
    if (i < n) y[i] = 2 * v;
}
```
```plan
twice<<<ceil_div(n, 256), 256>>>(x, y, n);
```
R
told barrier-named barrier 'a barrier in divergent code'
told barrier-line barrier 'line 7: __syncthreads();'
told barrier-advice barrier 'Every thread of the block must come to a barrier: take it out of the branch or the loop'
not_told barrier-other-advice barrier 'Two threads touch that element without order'

play affine 1
told diagonals affine 'one launch an anti-diagonal, all of whose cells are independent'
not_told no-convergence affine Smoothing
exit $bad
