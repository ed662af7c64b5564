#!/usr/bin/env bash
# --start: a search that begins from a kernel, given as certificate.json or best.cu; bad ones are told.
# test-deadline: 240
set -u
B=$(realpath "$BUILD"); S=$B/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'; $(head -c 600 stdout stderr)"; fails=1; fi; }
said() { if grep -qE -- "$2" stdout stderr; then echo "ok $1"; else echo "not ok $1: said $(head -c 900 stdout stderr)"; fails=1; fi; }
run() { "$S" "$@" --device sim:h200 --no-learn -q >stdout 2>stderr </dev/null; }
cat >mm.c <<'C'
#pragma regraph size(n=512) size(n=48)
void mm(int n, const float *A, const float *B, float *C)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++) s += A[i * n + k] * B[k * n + j];
            C[i * n + j] = s;
        }
}
C
time_of() { sed -nE 's/.*"line":"final".*,"time_us":([0-9.]+),"vector".*/\1/p' "$1/journal.jsonl"; }
run mm.c --evals 40 --patience 0 --out first; ok search $? 0; chain=$(grep ' steps ' stdout)
[ "$(echo "$chain" | tr -cd @ | wc -c)" -ge 3 ]; ok search-has-a-chain $? 0

# naive and the given source: two evaluations, and the best is there already, with its steps
run mm.c --evals 2 --start first/certificate.json --out cert; ok certificate $? 0
ok certificate-time "$(time_of cert)" "$(time_of first)"; ok certificate-chain "$(grep ' steps ' stdout)" "$chain"
run mm.c --evals 2 --start first/best.cu --out cu; ok best.cu $? 0
ok best.cu-time "$(time_of cu)" "$(time_of first)"; ok best.cu-chain "$(grep ' steps ' stdout)" "$chain"
mkdir alone; cp first/best.cu alone
run mm.c --evals 2 --start alone/best.cu --out lone; ok best.cu-alone $? 0
ok best.cu-alone-time "$(time_of lone)" "$(time_of first)"; said best.cu-alone-steps 'steps +\(as given\)'
run mm.c --evals 20 --patience 0 --start first/certificate.json --out on; ok goes-on $? 0
[ "$(grep -c '"purpose":"search"\|"purpose":"tune"\|"purpose":"polish"' on/journal.jsonl)" -gt 2 ]; ok goes-on-searching $? 0
run mm.c --evals 20 --patience 0 --start first/certificate.json --out again; ok repeats $? 0
ok repeats-bit-for-bit "$(sed 's/,"clock":.*//' again/journal.jsonl | sha256sum)" "$(sed 's/,"clock":.*//' on/journal.jsonl | sha256sum)"
head -n 30 on/journal.jsonl >j; mv j on/journal.jsonl
run mm.c --evals 20 --patience 0 --start first/certificate.json --out on --resume; ok resumes $? 0
ok resumes-the-same "$(sed 's/,"clock":.*//' again/journal.jsonl | grep -v '"line":"resume"' | sha256sum)" "$(sed 's/,"clock":.*//' on/journal.jsonl | grep -v '"line":"resume"' | sha256sum)"
run mm.c --evals 20 --patience 0 --out on --resume; ok resume-without-it $? 3
ok its-certificate "$(grep -c '"step"' cert/certificate.json)" "$(grep -c '"step"' first/certificate.json)"
"$B/regraph-verify" cert/certificate.json >stdout 2>stderr; ok its-certificate-holds $? 0
"$B/regraph-verify" lone/certificate.json >stdout 2>stderr; ok a-given-one-s-too $? 0

# a kernel that is wrong, or does not compile, is a candidate that failed
sed '/^__global__/,/^}/{/for (/!{s/+=/-=/;s/^\( *\)\([^ =]*\) = \2 + \([^0-9]\)/\1\2 = \2 - \3/}}' first/best.cu >alone/wrong.cu
run mm.c --evals 6 --start alone/wrong.cu --out wrong; ok wrong $? 0; said wrong-said 'the kernel given does not hold.*wrong'; said wrong-counted '1 wrong'
sed 's/^__global__/__globl__/' first/best.cu >alone/syntax.cu
run mm.c --evals 6 --start alone/syntax.cu --out syntax; ok syntax $? 0; said syntax-said 'does not hold.*compile'
# lines are those of the file
said syntax-line "alone/syntax.cu\($(grep -n '^__globl__' alone/syntax.cu | cut -d: -f1)\)"
sed 's/C\[\(.*\)\] = /C[\1 + 100000000] = /' first/best.cu >alone/far.cu
run mm.c --evals 6 --start alone/far.cu --out far; ok far $? 0
lines=$(grep -n '+ 100000000\] = ' alone/far.cu | cut -d: -f1 | paste -sd'|'); said far-line "does not hold.*line ($lines) of alone/far.cu"

run mm.c --start nowhere.cu --out bad; ok missing $? 3; said missing-said "cannot open 'nowhere.cu'"
run mm.c --start mm.c --out bad; ok no-export $? 3; said no-export-said 'mm.c:1:1: not a best.cu'
echo '{"schema": 1}' >x.json; run mm.c --start x.json --out bad; ok no-certificate $? 3; said no-certificate-said 'not a certificate'
sed 's/mm_kernel</nothing </; s/^\/\/ \(.*\)(.*);$/\/\/ \1(A, B, D, n);/' first/best.cu >alone/plan.cu
run mm.c --start alone/plan.cu --out bad; ok plan $? 3; said plan-said 'its plan does not fit mm'
cat >other.c <<'C'
void other(int m, const float *x, float *y) { for (int i = 0; i < m; i++) y[i] = x[i] * 2; }
C
run other.c --size m=1000 --start first/certificate.json --out bad; ok other-function $? 3; said other-function-said 'does not fit other'
run mm.c --start first/best.cu --apply parallelize --out bad; ok with-apply $? 2
run mm.c --objective total --out bad; ok total-on-sim $? 2; said total-on-sim-said 'knows no transfers'
exit $fails
