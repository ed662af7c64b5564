#!/usr/bin/env bash
# --specialize: the timed sizes are constants in the kernel, verification runs at them, report and certificate say so, and the exported
# function refuses other sizes before it touches a device.
# test-deadline: 240
set -u
B=$(realpath "$BUILD"); S=$B/regraph-search; here=$PWD
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'; $(head -c 400 stderr)"; fails=1; fi; }
has() { grep -q -- "$2" "$3"; ok "$1" $? 0; }
cat >mm.c <<'C'
#pragma regraph size(n=96)
void mm(int n, const float *A, const float *B, float *C)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++)
                s += A[i * n + k] * B[k * n + j];
            C[i * n + j] = s;
        }
}
C
run() { "$S" mm.c --device sim:h200 --no-learn --apply parallelize,coalesce,tile.shared@A --force --graph "$here/graphs/cuda.json" "$@" >stdout 2>stderr </dev/null; }
run --specialize --out fixed; ok search $? 0
has report 'specialised for n=96: the exported functions refuse other sizes' stdout
has constant 'constexpr int n = 96[,;]' fixed/best.cu
grep -q '__global__.*int n' fixed/best.cu; ok argument $? 1
sed -n '/^__global__/,/^}/p' fixed/best.cu | grep -q 'if ([ij] < n'; ok dead-guards $? 1
grep -qE '< n|<= n' <(sed -n '/^__global__/,/^}/p' fixed/best.cu | grep -v 'for ('); ok whole-strips $? 1
has certificate '"specialized"' fixed/certificate.json
ok verified-sizes "$(grep -c '"size": *[1-9]' fixed/certificate.json)" 0
"$B/regraph-verify" fixed/certificate.json --device sim:h200 >stdout 2>stderr </dev/null; ok again $? 0
run --out open; ok symbolic $? 0
grep -q 'constexpr int n = ' open/best.cu; ok symbolic-constant $? 1
grep -q specialized open/certificate.json; ok symbolic-certificate $? 1
run --specialize --size n=96 --size n=50 --out two; ok two-sizes $? 3
has two-sizes-text 'with --specialize there is one size' stderr
NVCC=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
if [ -x "$NVCC" ]; then
    cat >driver.cpp <<'C'
#include "fixed/best.h"
#include <cstdlib>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    float *a = (float *)calloc((size_t)n * n, 4);
    mm_cuda(n, a, a, a);
}
C
    "$NVCC" -o driver driver.cpp fixed/best.cu -Dmm_no_auto >stdout 2>stderr; ok build $? 0
    (exec ./driver 95) >stdout 2>stderr; [ $? -ne 0 ]; ok refuses $? 0
    has refuses-text 'it is required that n == 96' stderr
fi
exit $fails
