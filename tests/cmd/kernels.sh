#!/usr/bin/env bash
# regraph-worker --kernels: a folder of kernels; variants that fail in every way cost no other its result.
# test-deadline: 180
set -u
R=$(realpath "$BUILD")/regraph-worker
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
cd "$W" || exit 1
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'; $(head -c 700 stdout stderr)"; fails=1; fi; }
said() { if grep -qE -- "$2" stdout stderr; then echo "ok $1"; else echo "not ok $1: no '$2' in $(head -c 1500 stdout stderr)"; fails=1; fi; }
run() { "$R" "$@" >stdout 2>stderr </dev/null; }
row() { said "$1" "\"$1\": \\{.*$2"; }

mkdir -p all/scale all/count all/broken all/notes
cat >all/scale/problem.json <<'J'
{"name": "scale", "function": "ref_scale", "args": ["n", "a", "x", "y", "total"], "sizes": {"n": 1000000}, "small_sizes": {"n": 1000},
 "scalars": {"a": {"type": "float", "value": 0.1}},
 "buffers": [{"name": "x", "type": "float", "extent": "n", "role": "in", "init": "lcg(7,-1,1)"},
             {"name": "y", "type": "float", "extent": "2*n", "role": "inout", "init": "affine(1,0.5)"},
             {"name": "total", "type": "double", "extent": "1", "role": "out"}], "tolerance": 1e-5, "bound": "memory"}
J
cat >all/scale/ref.c <<'C'
#include <math.h>
void ref_scale(int n, float a, const float *x, float *y, double *total)
{
    *total = 0;
    for (int i = 0; i < 2 * n; i++) y[i] = a * fabsf(x[i % n]) + y[i], *total += y[i];
}
C
kernel='__global__ void add(int n, float a, const float *x, float *y, double *total) { int i = blockIdx.x * 256 + threadIdx.x; if (i < 2 * n) { y[i] = a * fabsf(x[i % n]) + y[i]; atomicAdd(total, (double)y[i]); } }'
plan='// desc: thread per element
// plan: fill(total, 0);
// plan: add<<<ceil_div(2*n,256), 256>>>(n, a, x, y, total);'
printf '%s\n%s\n' "$plan" "$kernel" >all/scale/v01.cu
printf '%s\n%s\n' "$plan" "${kernel/+ y/+ 2 * y}" >all/scale/v02.cu                # wrong
printf '%s\n%s\n' "${plan/add<<</sub<<<}" "$kernel" >all/scale/v03.cu                # no such kernel
printf '%s\n%s\n' "$plan" "${kernel/int i/into i}" >all/scale/v04.cu                 # does not compile
printf '%s\n%s\n' "$plan" "${kernel/if (i < 2 \* n)/}" >all/scale/v05.cu            # out of bounds
printf '%s\n%s\n' "$plan" "${kernel/if (i < 2 \* n)/for (volatile int k = 1; k;) k = 1;}" >all/scale/v06.cu # hangs
printf '%s\n' "$kernel" >all/scale/v07.cu                                             # no plan
printf '%s\n%s\n' "${plan/, 256>>>/, 0>>>}" "$kernel" >all/scale/v08.cu              # a block of nothing
printf '%s\n%s\n' "$plan" "$kernel" >all/scale/v09.cu
printf '%s\n%s\n' "${plan/add<<</norm<<<}" "${kernel/void add/void norm}" >all/scale/v10.cu # a name of CUDA's too
cat >all/count/problem.json <<'J'
{"name": "count", "function": "ref_count", "args": ["n", "k", "parts", "x", "c"], "sizes": {"n": 100000, "k": 16}, "small_sizes": {"n": 3000, "k": 8}, "scalars": {"parts": {"type": "int", "value": 4}},
 "buffers": [{"name": "x", "type": "int", "extent": "n", "role": "in", "init": "lcg(9,0,k)"}, {"name": "c", "type": "unsigned int", "extent": "k", "role": "out"}], "tolerance": 0}
J
echo 'void ref_count(int n, int k, int parts, const int *x, unsigned *c) { for (int i = 0; i < k; i++) c[i] = 0; for (int i = 0; i < n; i++) c[x[i]]++; }' >all/count/ref.c
cat >all/count/v01.cu <<'C'
// desc: "quoted" \ and é
// plan: fill(c, 0);
// plan: for (int i = 0; i < parts; i++) count<128><<<8, 128>>>(n / parts, x + n / parts * i, c);
template <int T> __global__ void count(int n, const int *x, unsigned *c) { for (int i = blockIdx.x * T + threadIdx.x; i < n; i += gridDim.x * T) atomicAdd(&c[x[i]], 1u); }
C
printf '{"function": "f", "args": ["n", "q"], "sizes": {"n": 1}, "small_sizes": {"n": 1}, "buffers": [], "tolerance": 0}' >all/broken/problem.json
printf '%s\n%s\n' "$plan" "$kernel" >all/broken/v01.cu

# the first buffer is wrong: what follows was never looked at
mkdir -p all/wrongtype more/bare more/steered
printf '{"function": "f", "args": ["x", "y"], "sizes": {}, "small_sizes": {}, "buffers": [{"name": "x", "type": "quaternion", "extent": "1", "role": "out"}, {"name": "y", "type": "int", "extent": "1", "role": "out"}], "tolerance": 0}' >all/wrongtype/problem.json
printf '%s\n%s\n' "$plan" "$kernel" >all/wrongtype/v01.cu
# no reference: not verified, but estimated
cp all/scale/problem.json all/scale/v01.cu more/bare/
# a launch whose loops are as long as an earlier one wrote, where sampled blocks would see nothing of it
cat >more/steered/problem.json <<'J'
{"function": "ref_steered", "args": ["n", "y"], "sizes": {"n": 1048576}, "small_sizes": {"n": 4096}, "buffers": [{"name": "y", "type": "int", "extent": "n", "role": "out"}], "tolerance": 0}
J
echo 'void ref_steered(int n, int *y) { unsigned s = 0; for (int k = 0; k < 400; k++) s = s * 1664525u + k; for (int i = 0; i < n; i++) y[i] = (int)s; }' >more/steered/ref.c
for v in 1 2; do
    bound='len[i]'; [ $v = 2 ] && bound='(n >> 30) + 400'
    cat >more/steered/v0$v.cu <<C
// plan: scratch int len[n];
// plan: lengths<<<ceil_div(n,256), 256>>>(n, len);
// plan: walk<<<ceil_div(n,256), 256>>>(n, len, y);
__global__ void lengths(int n, int *len) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) len[(i + n / 2 + 12345) % n] = 400; }
__global__ void walk(int n, const int *len, int *y) { int i = blockIdx.x * 256 + threadIdx.x; unsigned s = 0; if (i < n) { for (int k = 0; k < $bound; k++) s = s * 1664525u + k; y[i] = (int)s; } }
C
done

run --kernels all --seconds 60; ok exit $? 1
if python3 -c 'import json; d = json.load(open("stdout")); p = d["problems"]; s = p["scale"]["variants"]; assert d["format"] == "regraph-kernels/1" and d["estimated"] and len(s) == 10 and not p["broken"]["variants"]
for v in ("v01", "v09", "v10"):
    x = s[v]; lo, hi = x["interval_us"]; assert x["ok"] and x["verified"] and 0 < lo < x["estimate_us"] < hi and x["limiter"] and x["counters"]["dram_bytes"] >= 0, x
assert abs(s["v01"]["estimate_us"] - s["v09"]["estimate_us"]) < 1e-6 and not any(s[v]["ok"] for v in s if v not in ("v01", "v09", "v10"))
assert p["count"]["variants"]["v01"]["verified"] and "quoted" in p["count"]["variants"]["v01"]["desc"]' 2>py; then echo "ok document"; else echo "not ok document: $(cat py; head -c 3000 stdout)"; fails=1; fi
row v02 '"outcome": "wrong"'; row v03 '"outcome": "plan".*sub'; row v04 '"outcome": "compile".*into'; row v05 '"outcome": "bounds"'; row v06 '"outcome": "timeout"'
row v07 '"outcome": "plan".*// plan:'; row v08 '"outcome": "plan"'
said broken "broken/problem.json: neither in .sizes., .scalars. nor .buffers.: argument 'q'"
said wrongtype "wrongtype/problem.json: no known .type. of buffer 'x'"
run --kernels more --seconds 60; ok more $? 1; said bare '"v01": .*"ok": false, "verified": false.*has no function.*estimate_us'
if python3 -c 'import json; v = json.load(open("stdout"))["problems"]["steered"]["variants"]; a, b = v["v01"], v["v02"]; print(a["estimate_us"], b["estimate_us"])
assert a["ok"] and b["ok"] and a["counters"]["blind_launches"] == 0 and 0.6 < a["estimate_us"] / b["estimate_us"] < 1.6' 2>py; then echo "ok steered"; else echo "not ok steered: $(cat py; head -c 3000 stdout)"; fails=1; fi
run --kernels all --only scale/v01; ok one $? 0; said one-said '"v01": .*"ok": true'
run --kernels all/scale --only scale/v09 --check; ok own-folder $? 0
run --kernels all --only scale/v01 --no-verify; ok unverified $? 0; said unverified-said '"verified": false.*estimate_us'
hot=$(grep -o '"dram_bytes": [0-9.e+]*' stdout | cut -d' ' -f2); run --kernels all --only scale/v01 --no-verify --cache cold; ok cold $? 0 # 12 MB, all in L2 otherwise
cold=$(grep -o '"dram_bytes": [0-9.e+]*' stdout | cut -d' ' -f2); if python3 -c "assert $hot < 1e6 and 11e6 < $cold < 13e6"; then echo "ok colder"; else echo "not ok colder: $cold after $hot"; fails=1; fi
run --kernels all --cache warm; ok no-such-cache $? 2
run --kernels nothing; ok no-folder $? 3; said no-folder-said "cannot open folder 'nothing'"
run --kernels all/notes; ok empty $? 3; said empty-said 'no folder with a problem.json'
run --kernels all --only other; ok no-problem $? 3
run --kernels all --device sim:none; said no-device 'h200'
run --kernels all --what; ok misuse $? 2; said misuse-said "unknown option '--what'"
run --help; ok help $? 0; said help-said 'regraph-worker --kernels FOLDER'
exit $fails
