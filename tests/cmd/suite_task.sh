#!/usr/bin/env bash
# A suite as tasks of any queue: prepared, run one by one in any order, taken over, stopped by SIGUSR1, run again, collected.
# test-deadline: 300
set -u
B=$(realpath "$BUILD"); S=$B/regraph-suite; R=$PWD
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; unset SLURM_JOB_ID; cd "$W" || exit 1
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'; $(head -c 900 out.txt err.txt first.txt)"; fails=1; fi; }
said() { if grep -qE -- "$2" out.txt err.txt; then echo "ok $1"; else echo "not ok $1: said $(head -c 900 out.txt err.txt)"; fails=1; fi; }
run() { "$S" "$@" >out.txt 2>err.txt </dev/null; }
sum() { sha256sum <"$1" | cut -c1-16; }
cp "$R/graphs/cuda.json" g.json; : >first.txt
cat >add.c <<'C'
void add(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] += 2 * x[i]; }
C
cat >mm.c <<'C'
void mm(int n, const float *A, const float *B, float *D)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++) s += A[i * n + k] * B[k * n + j];
            D[i * n + j] = s;
        }
}
C
cat >bad.c <<'C'
void bad(int n, float *x) { for (int i = 0; i < n; i++) nowhere[i] = 1; }
C
printf '{"defaults": {"device": "sim:h200", "patience": 0, "time": 0, "no-compile-cache": true}, "problem": [{"file": "mm.c", "size": "n=64", "evals": 60}, {"file": "add.c", "size": "n=1000000", "evals": 4}, {"file": "bad.c"}]}' >s.json
run s.json --graph g.json --no-learn -o whole; ok undisturbed $? 1
run s.json --graph g.json --no-learn -o q --prepare; ok prepare $? 0; said prepare-said '3 problems: tasks 0 to 2'
run --out q --task 3; ok no-such-task $? 3; said no-such-task-said 'problems 0 to 2'
run --out q --task 2; ok failing-task $? 3; said failing-task-said 'bad: failed: .*nowhere'
run --out q --task 1; ok task $? 0
run --out q --collect; ok collect-early $? 1; said collect-early-said '1 ok, .*1 failed, 0 stopped, 1 not run'

began() { for _ in $(seq 200); do [ "$(grep -c '"line":"eval"' q/runs/mm/journal.jsonl 2>/dev/null)" -ge "$1" ] && return; sleep 0.05; done; }
"$S" --out q --task 0 >first.txt 2>&1 </dev/null & first=$!
began 2
kill -USR1 $first; wait $first; ok stopped-by-usr1 $? 75
grep -q '"exit": *138' q/results/mm.json; ok stopped-is-kept $? 0
# a task that is lost but lives on: who comes later takes its place
"$S" --out q --task 0 >first.txt 2>&1 </dev/null & first=$!
began 4
run --out q --task 0; ok second $? 0
wait $first; ok first-is-ended $? 75; grep -q 'taken over by another process' first.txt; ok first-says-so $? 0
grep -q '"line":"resume"' q/runs/mm/journal.jsonl; ok second-resumed $? 0
run --out q --task 0; ok ended-before $? 0; said ended-before-said 'has ended before'
run --out q --collect; ok collect $? 1
ok the-same-union "$(sum q/graph.json)" "$(sum whole/graph.json)"
exit $fails
