#!/usr/bin/env bash
# --allow: a kernel within the tolerance but far less exact than the C is wrong, unless the user takes it; what was allowed goes with the problem.
# test-deadline: 240
set -u
B=$(realpath "$BUILD"); S=$B/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'; $(head -c 600 stdout stderr)"; fails=1; fi; }
said() { if grep -qE -- "$2" stdout stderr; then echo "ok $1"; else echo "not ok $1: said $(head -c 900 stdout stderr)"; fails=1; fi; }
run() { "$S" "$@" --device sim:h200 --no-learn -q >stdout 2>stderr </dev/null; }
cat >decay.c <<'C'
#include <math.h>
#pragma regraph size(n=4096) size(n=1000) size(n=37)
void decay(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++) y[i] = expf(2 * x[i]);
}
C
run decay.c --evals 2 --out exact; ok exact $? 0
grep -q 'expf(' exact/best.cu; ok its-function-is-there $? 0
mkdir alone; sed 's/expf(/1.00009f * expf(/' exact/best.cu >alone/rough.cu
run decay.c --evals 2 --start alone/rough.cu --out rough; ok rough $? 0
said rough-is-wrong 'the kernel given does not hold.*wrong.*within the tolerance.*--allow fast-math takes it'
run decay.c --evals 2 --start alone/rough.cu --allow fast-math --out taken; ok taken $? 0
! grep -q 'does not hold' stderr; ok taken-holds $? 0; said taken-says 'allowed: fast-math'
ok certified "$(grep -c 'allow.*fast-math' taken/certificate.json)" 1
"$B/regraph-verify" taken/certificate.json >stdout 2>stderr; ok verified-by-the-same-rule $? 0
run decay.c --evals 3 --start alone/rough.cu --out taken --resume; ok resumed-without-it $? 3
run decay.c --evals 3 --start alone/rough.cu --out taken --resume --allow tf32,fast-math; ok resumed-with-another $? 3
run decay.c --evals 3 --start alone/rough.cu --out taken --resume --allow fast-math; ok resumed $? 0
run decay.c --evals 2 --start alone/rough.cu --rtol 1e-4 --out stated; ok stated $? 0; ! grep -q 'does not hold' stderr; ok a-stated-tolerance-counts $? 0
run decay.c --save-problem p.json --explain; ok saved $? 0
run --problem p.json --evals 2 --start alone/rough.cu --allow tf32 --allow fast-math --out both; ok both $? 0; said both-says 'allowed: tf32, fast-math'
run decay.c --allow fp8; ok unknown $? 2; said unknown-said "'fp8' is nothing to allow: it is tf32, fast-math"
run decay.c --allow tf32,; ok empty $? 2
exit $fails
