#!/usr/bin/env bash
# Run workers behind relays, as those on other machines stand: the same search to the bit, also when they are lost; the farm's own tests hold.
# test-deadline: 300
set -u
B=$(realpath "$BUILD"); S=$B/regraph-search; R=$PWD
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'; $(head -c 900 out.txt err.txt)"; fails=1; fi; }
said() { if grep -qE -- "$2" out.txt err.txt; then echo "ok $1"; else echo "not ok $1: said $(head -c 900 out.txt err.txt)"; fails=1; fi; }
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
run() { "$S" mm.c -s n=64 -q --device sim:h200 --no-learn --patience 0 "$@" >out.txt 2>err.txt </dev/null; }
course() { sed 's/,"clock":.*//' "$1/journal.jsonl" | sha256sum | cut -c1-16; }
run --evals 24 --in-flight 2 --out here; ok here $? 0
run --evals 24 --workers 2:env --out there; ok there $? 0; ok the-same-course "$(course there)" "$(course here)"
# what stands behind the relays is killed: relays there, their workers, launchers
"$S" mm.c -s n=64 -q --device sim:h200 --no-learn --patience 0 --evals 24 --no-compile-cache --workers '2:timeout 600' --out lost >out.txt 2>err.txt </dev/null & search=$!
kills=0
for i in $(seq 60); do
    sleep 0.15; kill -0 $search 2>/dev/null || break
    near=$(pgrep -P $search -f -- ' --near ' | shuf -n 1 --random-source=<(yes "$i")); launcher=$(pgrep -P "${near:-0}"); far=$(pgrep -P "${launcher:-0}"); work=$(pgrep -P "${far:-0}")
    [ -s lost/journal.jsonl ] || continue
    case $((i % 3)) in 0) victim=$work ;; 1) victim=$far ;; 2) victim=$launcher ;; esac
    [ -n "$victim" ] && [ $kills -lt 12 ] && kill -9 $victim 2>/dev/null && kills=$((kills + 1))
done
wait $search; ok lost-again-and-again $? 0; ok the-same-course-all-the-same "$(course lost)" "$(course here)"
[ $kills -ge 2 ]; ok some-were-lost $? 0
for _ in $(seq 40); do pgrep -f -- "--far --role run .*$W" >/dev/null || break; sleep 0.1; done
run --evals 3 --workers 2:nonexistent-launcher --out no; ok no-launcher $? 4; said no-launcher-said "cannot run 'nonexistent-launcher'"
run --evals 3 --workers '1:ls /nowhere' --out no2; ok launcher-that-ends $? 4; said launcher-that-ends-said 'while starting: ls: '
run --evals 3 --workers 2 --out no3; ok wrong-use $? 2; said wrong-use-said 'slurm:N or N:COMMAND'
SLURM_JOB_ID='' run --evals 3 --workers slurm:0 --out no3; ok none $? 2
(unset SLURM_JOB_ID; run --evals 3 --workers slurm:2 --out no3); ok no-allocation $? 2; said no-allocation-said 'salloc or sbatch'

tests() { # a program of the farm's own tests, which of them
    (cd "$R" && RG_TEST_LAUNCHER=env RG_TEST_ONLY="$2" "$B/tests/runtime/$1") >"$W/out.txt" 2>"$W/err.txt"; ok "$1-behind-relays${2:+-$2}" $? 0
}
tests test_farm ''
for t in the_c_is_asked killed_meanwhile; do tests test_farm_standin $t; done
exit $fails
