#!/usr/bin/env bash
# regraph-suite under a real Slurm of our own (one slurmctld, two slurmd): an array of 12 problems while a slurmd is killed, a time limit is
# reached and a disk is full; the union of what they learnt is that of undisturbed runs.
# test-deadline: 420
set -u
R=$PWD; B=$(realpath "$BUILD"); S=$B/regraph-suite
. "$R/tests/cmd/slurm/cluster.sh"
why=$(slurm_missing); [ -z "$why" ] || { echo "skip slurm ($why)"; exit 0; }
W=$(mktemp -d); chmod 755 "$W"
cleanup() { scancel -u root 2>/dev/null; slurm_stop; mountpoint -q "$W/cut/runs/full" && umount "$W/cut/runs/full"; rm -rf "$W"; }
trap cleanup EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
slurm_start "$W/slurm" || { echo "skip slurm (it does not start here: $(tail -qn 1 "$W"/slurm/*.log | head -c 300))"; exit 0; }
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'; $(head -c 1500 out.txt err.txt; tail -qn 3 cut/logs/*)"; fails=1; fi; }
sum() { sha256sum <"$1" | cut -c1-16; }
until_that() { # seconds, command: true within them
    for _ in $(seq $(($1 * 5))); do no_waiting; if eval "$2"; then return 0; fi; sleep 0.2; done
    return 1
}
ended() { [ -z "$(squeue -h)" ]; }
cp "$R/graphs/cuda.json" g.json
cat >add.c <<'C'
void add(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] += 2 * x[i]; }
C
cat >dot.c <<'C'
void dot(int n, const float *x, const float *y, float *s) { float t = 0; for (int i = 0; i < n; i++) t += x[i] * y[i]; s[0] = t; }
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
problem() { # name, file, size, evaluations, seed, more
    printf '{"name": "%s", "file": "%s.c", "size": "n=%s", "evals": %s, "seed": %s%s}' "$1" "$2" "$3" "$4" "$5" "${6:-}"
}
{
    echo '{"defaults": {"device": "sim:h200", "patience": 0, "time": "0"}, "problem": ['
    problem limit mm 64 64 1 ', "no-compile-cache": true'; echo ,
    problem killed mm 64 44 2 ', "no-compile-cache": true'; echo ,
    problem full mm 64 30 3
    for i in 1 2 3; do for f in add dot; do echo ,; problem "$f$i" $f 1000000 6 "$i"; done; done
    for i in 1 2 3; do echo ,; problem "mm$i" mm 48 6 "$i"; done
    echo ']}'
} >suite.json
"$S" suite.json --graph g.json --no-learn -j 2 -o whole >out.txt 2>err.txt; ok undisturbed $? 0

# what can't be submitted is said
"$S" suite.json --graph g.json -o no --slurm=nowhere >out.txt 2>err.txt; ok no-such-partition $? 4
grep -q 'sbatch refuses the job.*artition' err.txt; ok no-such-partition-said $? 0

mkdir -p cut/runs/full # a disk that its journal does not fit on
"$S" suite.json --graph g.json -o cut --prepare >out.txt 2>err.txt; ok prepare $? 0
kb=$((($(stat -c %s whole/runs/full/graph-before.json) + $(stat -c %s whole/runs/full/problem.json) + $(stat -c %s whole/runs/full/journal.jsonl) / 2) / 1024 + 8))
mount -t tmpfs -o size=${kb}k none cut/runs/full || { echo "skip full-disk (no tmpfs can be mounted)"; kb=; }
"$S" -o cut --resume --slurm=p --gres gpu:1 --slurm-time 1 --warn 50 >out.txt 2>err.txt; ok submit $? 0
grep -qE '^job array [0-9]+: 12 of 12 problems; job [0-9]+ collects' out.txt; ok submit-said $? 0
array=$(grep -oE '^job array [0-9]+' out.txt | grep -oE '[0-9]+')

# the first task's search holds still until it is warned of the limit, the second one's until its node is lost: both would end before that on a fast machine
search_of() { pgrep -f -- "regraph-search .*--out $W/cut/runs/$1( |\$)" | head -n 1; }
hold() { # name: holds its search still once it has begun
    until_that 60 '[ -s cut/runs/'"$1"'/journal.jsonl ] && [ -n "$(search_of '"$1"')" ]' && kill -STOP "$(search_of "$1")"
}
is_told() { # process: SIGUSR1 waits for it
    local pending; pending=$(awk '/^ShdPnd/ { print $2 }' "/proc/$1/status" 2>/dev/null)
    [ -n "$pending" ] && [ $((0x$pending >> 9 & 1)) = 1 ]
}
hold limit; ok first-began $? 0
limit=$(search_of limit)
hold killed; ok second-began $? 0
held=$(search_of killed)
# the second task's node loses its slurmd; the task itself lives on there, until the one that is run again takes its place
node=$(squeue -h -r -o '%K %N' | awk '$1 == 1 { print $2 }'); orphan=$(pgrep -f -- "--out $W/cut --task 1\$")
[ -n "$node" ] && [ -n "$orphan" ]; ok second-runs $? 0
kill -9 "$(slurmd_pid "$node")"
until_that 60 'is_told $limit'; kill -CONT "$limit"
until_that 60 '[ "$(squeue -h -r -j ${array}_1 -o %T)" != RUNNING ] || ! kill -0 $orphan 2>/dev/null'; ok node-loss-is-seen $? 0
kill -CONT "$held" 2>/dev/null
slurmd_start "$node"
until_that 60 '[ -n "$(sinfo -h -n $node -t idle,alloc,mix -o %n)" ]'; ok node-is-back $? 0
until_that 200 ended; ok all-ended $? 0
# on a busy machine the limit may come before the first evaluation: the run then begins anew
scontrol show job "${array}_0" 2>/dev/null | grep -qE 'Restarts=[1-9]' || grep -q '"line":"resume"' cut/runs/limit/journal.jsonl; ok second-run-after-the-time-limit $? 0
grep -q 'limit: stopped' cut/logs/task-0.log; ok told-before-the-limit $? 0
scontrol show job "${array}_1" 2>/dev/null | grep -qE 'Restarts=[1-9]' || grep -q '"line":"resume"' cut/runs/killed/journal.jsonl; ok second-ran-again $? 0
! kill -0 "$orphan" 2>/dev/null; ok orphan-is-gone $? 0
[ -s cut/table.md ] && [ -s cut/logs/collect.log ]; ok collected $? 0
if [ -n "$kb" ]; then
    grep -qE '^full +failed .*exit 3: .*(No space left|disk)' cut/logs/collect.log; ok full-disk-said $? 0
    ok others-ended "$(grep -c '^[a-z0-9]* *ok ' cut/logs/collect.log)" 11
    mount -o remount,size=8m "$W/cut/runs/full"
    "$S" -o cut --resume --slurm=p --gres gpu:1 --wait >out.txt 2>err.txt; ok again-with-room $? 0
    grep -q 'full *ok' out.txt; ok wait-ends-with-the-table $? 0
fi
ok the-union-is-that-of-undisturbed-runs "$(sum cut/graph.json)" "$(sum whole/graph.json)"
ok learnt-into-the-graph "$(sum g.json)" "$(sum whole/graph.json)"
best() { python3 -c 'import json,sys; print([(p["name"], p["state"], p["best_ms"], p["evaluations"]) for p in json.load(open(sys.argv[1]))["problems"]])' "$1/table.json"; }
ok the-same-kernels "$(best cut)" "$(best whole)"
"$S" -o cut --resume --slurm=p >out.txt 2>err.txt; ok nothing-left-to-submit "$(cat out.txt)" 'nothing to submit: all 12 problems have ended'

# one search on both nodes: its run workers are steps, of which some are lost
one() { "$B/regraph-search" mm.c -s n=64 -q --device sim:h200 --no-learn --patience 0 --evals 30 --no-compile-cache "$@" >out.txt 2>err.txt </dev/null; }
course() { sed 's/,"clock":.*//' "$1/journal.jsonl" | sha256sum | cut -c1-16; }
one --in-flight 2 --out here; ok one-search-here $? 0
salloc --quiet -N 2 -n 2 "$B/regraph-search" mm.c -s n=64 -q --device sim:h200 --no-learn --patience 0 --evals 30 --no-compile-cache --workers slurm:2 --out steps >out.txt 2>err.txt </dev/null & search=$!
until_that 60 'grep -q "\"line\":\"eval\"" steps/journal.jsonl 2>/dev/null'
steps=$(squeue -h -s -o '%i %N' | grep -v batch | awk '$1 ~ /\.[0-9]+$/'); ok steps-on-both-nodes "$(echo "$steps" | cut -d' ' -f2 | sort -u | tr '\n' ' ')" 'n1 n2 '
scancel "$(echo "$steps" | head -1 | cut -d' ' -f1)"; ok step-is-canceled $? 0
wait $search; ok one-search-on-both $? 0; ok the-same-course "$(course steps)" "$(course here)"

# the batch file of the manual, as it stands there
sed -n '/^#!\/bin\/bash/,/^```/p' "$R/docs/cluster.md" | grep -v '^```' >task.sbatch
printf '{"defaults": {"device": "sim:h200", "evals": 4, "size": "n=1000000"}, "problem": [{"file": "add.c"}, {"file": "dot.c"}]}' >two.json
"$S" two.json --graph g.json --no-learn -o hand --prepare >out.txt 2>err.txt; ok prepared-by-hand "$(cat out.txt)" "2 problems: tasks 0 to 1 of --out $W/hand"
SUITE=$W/hand PATH=$B:$PATH sbatch --array=0-1 task.sbatch >out.txt 2>err.txt; ok batch-file $? 0
until_that 60 ended; "$S" --out hand --collect >out.txt 2>err.txt; ok batch-file-ran $? 0
grep -q '^2 problems: 2 ok' out.txt; ok batch-file-collected $? 0
exit $fails
