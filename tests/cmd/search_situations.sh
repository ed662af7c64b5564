#!/usr/bin/env bash
# What happens around a run: stopped, killed, resumed, two in one folder, an older graph of the user's.
# test-deadline: 240
set -u
B=$(realpath "$BUILD"); S=$B/regraph-search; G=$B/regraph-graph
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data TMPDIR=$W/tmp
mkdir "$TMPDIR"; cd "$W" || exit 1
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'; $(head -c 400 "$W/stderr" 2>/dev/null)"; fails=1; fi; }
said() { if grep -qE -- "$2" "$W/stderr"; then echo "ok $1"; else echo "not ok $1: said $(head -c 400 "$W/stderr")"; fails=1; fi; }
cat >mm.c <<'C'
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
run() { "$S" mm.c --device sim:h200 --no-learn --evals 60 --patience 0 --size n=128 -q "$@" >"$W/stdout" 2>"$W/stderr" </dev/null; }
# In the background; exec makes $p the program itself.
bg() { (exec "$S" mm.c --device sim:h200 --no-learn --evals 60 --patience 0 --size n=128 -q "$@" >/dev/null 2>&1 </dev/null) & p=$!; }
# Waits until the run in $1 has measured something.
started() { for _ in $(seq 300); do grep -q '"outcome":"ok"' "$1/journal.jsonl" 2>/dev/null && return; sleep 0.1; done; }

# the C's results at the timed size come beside the search: one candidate alone is verified at them, too, before the report
printf 'void scale(int n, double *x, double a) { for (int i = 0; i < n; i++) x[i] *= a; }\n' >scale.c
"$S" scale.c --size n=10000 --device sim:h200 --no-learn --apply parallelize --out scale --json >stdout 2>stderr </dev/null
ok applied-is-verified-everywhere "$(grep -c '"not_verified_at": *null' stdout)" 1

run --size n=6000 --time 0.3 --out short; ok no-time-for-a-kernel $? 6; said no-time-for-a-kernel-says-so 'more time|longer'

cat >forever.c <<'C'
void f(int n, const float *x, float *y) { while (1) if (n < 0) break; for (int i = 0; i < n; i++) y[i] = x[i]; }
C
(exec "$S" forever.c --device sim:h200 --no-learn --size n=1000 -q --out early >/dev/null 2>"$W/stderr" </dev/null) & p=$!
for _ in $(seq 100); do [ -n "$(ls "$TMPDIR")" ] && break; sleep 0.1; done # its workers are starting
sleep 2; t=$SECONDS; kill -INT $p; wait $p; ok stop-before-the-search $? 130; [ $((SECONDS - t)) -lt 10 ]; ok stop-before-the-search-is-soon $? 0
bg --out stopped; started stopped; kill -HUP $p; wait $p; ok hang-up-stops $? 129
ok hang-up-leaves-nothing "$(ls "$TMPDIR")" ''
bg --out killed; started killed; kill -KILL $p; wait $p 2>/dev/null; ok kill $? 137
[ -n "$(ls "$TMPDIR")" ]; ok kill-leaves-a-folder $? 0
touch -d '5 minutes ago' "$TMPDIR"/*
cp -r killed alone; mkdir other
run --out killed --resume --size n=64; ok resume-other-size $? 3; said resume-other-size-said 'problem was another'
run --out killed --resume --rtol 0.5; ok resume-other-tolerance $? 3
run --out killed --resume; ok resume $? 0
ok next-run-sweeps "$(ls "$TMPDIR")" ''
# the folder alone says how the run was started: no file, no options, from anywhere, whatever became of the C
stable() { grep -v '"line":"resume"' "$1/journal.jsonl" | sed 's/,"clock":.*//'; }
cp mm.c as-it-was.c; echo 'void other(void) { }' >>mm.c
(cd other && "$S" --resume ../alone >"$W/stdout" 2>"$W/stderr" </dev/null); ok resume-alone $? 0; said resume-alone-says-the-change "'mm.c' has changed since"
ok resume-alone-as-if-never-killed "$(stable alone | sha256sum)" "$(stable killed | sha256sum)"
mv as-it-was.c mm.c
"$S" --resume --out alone --evals 61 --json >"$W/stdout" 2>"$W/stderr"; ok resume-alone-with-more $? 0
ok resume-alone-goes-on "$(grep -o '"evaluations": *[0-9]*' "$W/stdout" | grep -o '[0-9]*$')" 61
"$S" --resume alone --size n=64 >"$W/stdout" 2>"$W/stderr"; ok resume-alone-other-size $? 2; said resume-alone-other-size-said '--size has no place'
"$S" --resume other >"$W/stdout" 2>"$W/stderr"; ok resume-nothing $? 3; said resume-nothing-said "nothing to resume in 'other'"
"$S" --resume >"$W/stdout" 2>"$W/stderr"; ok resume-of-which $? 2; said resume-of-which-said 'which run'
run --out killed; ok folder-in-use-before $? 3; said folder-in-use-before-said 'not empty'
bg --out both --force; started both
"$S" mm.c --device sim:h200 --no-learn --evals 2 --size n=128 -q --out both --force >/dev/null 2>"$W/stderr"; ok second-run $? 3
said second-run-said 'another run'
wait $p; ok first-run-goes-on $? 0
for step in banana 'parallelize{BX=7}'; do run --out chain --apply "$step"; [ $? -ne 0 ]; ok "chain $step" $? 0; [ ! -e chain ]; ok "chain $step leaves nothing" $? 0; done

# the reference is compiled by what preprocessed it: clang's and gcc's forms of glibc's headers differ
cat >ex.c <<'C'
#include <math.h>
void ex(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = expf(-x[i] * x[i]); }
C
for cc in gcc clang 'gcc -fno-math-errno'; do
    command -v "${cc%% *}" >/dev/null || { echo "skip compiler '$cc' (not installed)"; continue; }
    CC=$cc "$S" ex.c --device sim:h200 --no-learn --evals 2 --size n=1000 -q --out "ex" --force >/dev/null 2>"$W/stderr" </dev/null; [ $? -le 1 ]; ok "compiler '$cc'" $? 0
done

# an earlier version shipped no 'sequential'; since then the user took 'unroll' out
"$S" mm.c --device sim:h200 --evals 1 --size n=64 -q --out learn >/dev/null 2>&1
D=$XDG_DATA_HOME/regraph
# what is removed by hand is remembered in the file; an earlier version never had it
forget() { "$G" remove "$1" "$2"; sed -i -z -E 's/,\n  "removed": \[[^]]*\]//' "$1"; }
forget "$D/cuda.json" sequential; forget "$D/cuda.shipped.json" sequential; "$G" remove "$D/cuda.json" unroll
before=$(sha256sum <"$D/cuda.json")
run --out up1; ok no-learn-leaves-the-graph "$(sha256sum <"$D/cuda.json")" "$before"
"$S" mm.c --device sim:h200 --evals 1 --size n=64 -q --out up2 >/dev/null 2>"$W/stderr"; said new-steps-said '1 new step of this version'
ok new-step-is-there "$(grep -c '"id": "sequential"' "$D/cuda.json")" 1
ok removed-step-stays-out "$(grep -c '"id": "unroll"' "$D/cuda.json")" 0
# an earlier version had two steps in another form; one of them the user has changed
sed -i '/"poly": "prefetch_register"/d' "$D/cuda.json" "$D/cuda.shipped.json"
sed -i '/"id": "coalesce",/{n;s/"title": .*/"title": "older",/}' "$D/cuda.shipped.json"; sed -i '/"id": "coalesce",/{n;s/"title": .*/"title": "my own",/}' "$D/cuda.json"
"$S" mm.c --device sim:h200 --evals 1 --size n=64 -q --out up3 >/dev/null 2>"$W/stderr"; said renewed-step-said '1 step of your graph'
ok renewed-step "$(grep -c '"poly": "prefetch_register"' "$D/cuda.json")" 1
ok changed-step-stays "$(grep -c '"title": "my own"' "$D/cuda.json")" 1
exit $fails
