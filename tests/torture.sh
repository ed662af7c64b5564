#!/usr/bin/env bash
# Searches that are killed, stopped, interrupted and run out of disk at random moments, then resumed. One search that nothing
# disturbed says what all of them must come to: the same journal but for its clock, the same best kernel.
#   tests/torture.sh [SECONDS]     programs from $BUILD (build); SEED repeats the choices, not the moments; KIND=0..4: that kind only
#   tests/torture.sh kills [N]     searches whose workers are killed, one about every second, until N (300) were; some 10 minutes
#   DEVICE=cuda:0 tests/torture.sh kills [N]   on a GPU: results are not compared, as times differ, but the device's memory before and after each search
# Ends with one line of counts; exit 1 when a journal line was lost, a result differs, a process or a folder was left.
set -u
cd "$(dirname "$0")/.."
B=$(realpath "${BUILD:-build}"); S=$B/regraph-search
kills_wanted=0; [ "${1:-}" = kills ] && { kills_wanted=${2:-300}; shift "$#"; }
seconds=${1:-180}; RANDOM=${SEED:-$$}
W=$(mktemp -d); export XDG_DATA_HOME=$W/data XDG_CACHE_HOME=$W/cache TMPDIR=$W/tmp
mkdir "$TMPDIR"
p=
trap '[ -n "$p" ] && kill -KILL "$p" 2>/dev/null; rm -rf "$W"' EXIT
trap 'exit 130' INT TERM
cat >"$W/mm.c" <<'C'
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
MEMFD=regraph # runtime/os/shm.c
DEVICE=${DEVICE:-sim:h200}; gpu=; case $DEVICE in cuda:[0-9]*) gpu=${DEVICE#cuda:} ;; esac
[ -n "$gpu" ] && [ "$kills_wanted" -eq 0 ] && { echo "torture: on a GPU only kills: DEVICE=$DEVICE tests/torture.sh kills 50"; exit 2; }
options="$W/mm.c --device $DEVICE --no-learn --evals 24 --patience 0 --size n=128 -q"
# What must repeat: no clocks, no marks of resuming, no closing section that a later session made void.
stable() {
    sed -E 's/,"clock":\{.*\}\}$/}/' "$1" | awk '/^\{"line":"end"/ { mark = n } /^\{"line":"resume"/ { if (mark) n = mark; mark = 0; next } { l[n++] = $0 } END { for (i = 0; i < n; i++) print l[i] }'
}
nap() { sleep "$((RANDOM % $1 / 10)).$((RANDOM % 10))"; } # up to $1 tenths of a second
workers() { pgrep -P "$1" 2>/dev/null; }
one_of() { set -- $1; [ $# -gt 0 ] && eval echo "\${$((RANDOM % $# + 1))}"; }
# shellcheck disable=SC2086
"$S" $options --out "$W/ref" >"$W/ref.out" 2>"$W/ref.err" </dev/null ; [ $? -le 1 ] || { cat "$W/ref.err"; exit 1; }
stable "$W/ref/journal.jsonl" >"$W/ref.stable"
grep -v '^ *\(sequential\|files\)' "$W/ref.out" >"$W/ref.said"

runs=0 kills=0 stops=0 interrupts=0 crashes=0 full=0 resumes=0 lost=0 wrong=0 leaked=0 left=0 folders=0
bad() { echo "torture: run $runs, $kind: $1"; }
start() { # options...: in the background; exec makes $p the program itself
    # shellcheck disable=SC2086
    (exec "$S" $options "$@" >"$W/out" 2>"$W/err" </dev/null) & p=$!
}
# The program has ended: so have its workers, and what it wrote whole is still there. $1: its exit status, $2: the one wanted
after() {
    sleep 0.2
    if pgrep -f "regraph-worker.*$TMPDIR" >/dev/null; then sleep 2; fi
    for w in $(pgrep -f "regraph-worker.*$TMPDIR"); do leaked=$((leaked + 1)); bad "worker $w is left"; kill -KILL "$w"; done
    for m in /proc/[0-9]*/fd; do # inputs and references live in a memory file: nobody holds one of ours any more
        find "$m" -lname "/memfd:$MEMFD*" 2>/dev/null | grep -q . || continue
        { tr '\0' ' ' <"${m%fd}cmdline"; } 2>/dev/null | grep -q "$W" && { leaked=$((leaked + 1)); bad "a memory file is left in ${m%/fd}"; }
    done
    n=$(find "$TMPDIR" -mindepth 1 -maxdepth 1 | wc -l)
    [ "$n" -gt "$folders" ] && [ "$1" -ne 137 ] && { left=$((left + n - folders)); bad "left in TMPDIR (exit $1): $(cd "$TMPDIR" && find . -mindepth 1 | head -n 8 | paste -sd" ")"; }
    folders=$n
    case " $2 " in *" $1 "*) ;; *) wrong=$((wrong + 1)); bad "exit $1, wanted $2: $(tail -n 2 "$W/err")" ;; esac
    [ -f "$out/journal.jsonl" ] || return
    # whole lines: a last one without its newline was being written
    if [ -n "$(tail -c 1 "$out/journal.jsonl")" ]; then sed '$d' "$out/journal.jsonl" >"$W/whole"; else cp "$out/journal.jsonl" "$W/whole"; fi
    [ -n "$gpu" ] && { wc -l <"$W/whole" | grep -qx 0 && lost=$((lost + 1)); return; }
    # all but a closing section stand at the head of the undisturbed journal
    stable "$W/whole" | awk '/^\{"line":"end"/ { exit } { print }' >"$W/head"
    if ! head -n "$(wc -l <"$W/head")" "$W/ref.stable" | cmp -s - "$W/head"; then wrong=$((wrong + 1)); bad "its journal took another course"; fi
    if [ -s "$W/before" ] && ! head -c "$(stat -c %s "$W/before")" "$out/journal.jsonl" | cmp -s - "$W/before"; then lost=$((lost + 1)); bad "journal lines were lost"; fi
    cp "$W/whole" "$W/before" # to be found again after the next session
}
finish() { # resumes until it is done, then compares
    for _ in 1 2 3; do
        [ -s "$out/journal.jsonl" ] || break
        resumes=$((resumes + 1)); start --out "$out" --resume; wait "$p"; rc=$?; p=; after $rc "0 1"
        [ $rc -le 1 ] && break
    done
    compare
}
compare() {
    if [ -n "$gpu" ]; then [ -s "$out/best.cu" ] || { wrong=$((wrong + 1)); bad "no best.cu"; }; return; fi
    if [ ! -s "$out/journal.jsonl" ]; then return; fi # it was stopped before it had begun
    stable "$out/journal.jsonl" | cmp -s - "$W/ref.stable" || { wrong=$((wrong + 1)); bad "the journal differs from the undisturbed one"; cp "$out/journal.jsonl" "/tmp/torture-$$-$runs.jsonl"; }
    cmp -s "$out/best.cu" "$W/ref/best.cu" || { wrong=$((wrong + 1)); bad "best.cu differs"; }
    grep -v '^ *\(sequential\|files\)' "$W/out" | cmp -s - "$W/ref.said" || { wrong=$((wrong + 1)); bad "the summary differs"; }
}
out_of_disk() { # a small disk of its own: a mount in a name space that goes with the command
    mkdir -p "$W/disk"
    unshare -rm bash -c 'mount -t tmpfs -o size=$1k none "$2" || exit 99; shift; d=$1; shift; "$@" >"$d/../out" 2>"$d/../err" </dev/null; rc=$?; [ -d "$d/o" ] && cp -r "$d/o" "$d/../disk-out"; exit $rc' \
        - "$1" "$W/disk" "$S" $options --out "$W/disk/o"
}
# MiB of the device in use, by whomever; nothing where nvidia-smi does not tell.
used_mib() { [ -n "$gpu" ] && nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits -i "$gpu" 2>/dev/null | grep -oE '^[0-9]+'; }
unreturned=0 memory_first='' memory_last=''
# All workers are reaped: the device's memory is as it was before the first search, within 16 MiB, after at most 10 s
memory_back() {
    [ -n "$memory_first" ] || return
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        memory_last=$(used_mib); [ -n "$memory_last" ] && [ "$memory_last" -le $((memory_first + 16)) ] && return
        sleep 1
    done
    unreturned=$((unreturned + 1)); bad "the device has ${memory_last:-unknown} MiB in use, $memory_first before"
}
killed_roles=
# A worker of the running search, whatever it is doing; counted by role when it was there to be killed.
kill_one() {
    v=$(one_of "$(workers "$p")"); [ -n "$v" ] || return
    role=$({ tr '\0' '\n' <"/proc/$v/cmdline"; } 2>/dev/null | grep -A1 -x -e --role | tail -n 1)
    kill -KILL "$v" 2>/dev/null && { kills=$((kills + 1)); killed_roles="$killed_roles ${role:-other}"; }
}
# Kills until as many as wanted; half of the searches find their programs compiled, half compile them.
many_kills() {
    kind='workers killed'; began=$SECONDS; memory_first=$(used_mib)
    while [ $kills -lt "$kills_wanted" ] && [ $((lost + wrong + leaked + left + unreturned)) -eq 0 ]; do
        runs=$((runs + 1)); out=$W/run$runs; : >"$W/before"
        if [ $((runs % 2)) -eq 0 ]; then start --out "$out"; else start --out "$out" --no-compile-cache; fi
        while [ $kills -lt "$kills_wanted" ] && kill -0 "$p" 2>/dev/null; do sleep "$((RANDOM % 2)).$((2 + RANDOM % 8))"; kill_one; done
        wait "$p"; rc=$?; p=; after $rc "0 1"; compare; memory_back; rm -rf "$out"
    done
    roles=$(echo "$killed_roles" | tr ' ' '\n' | grep . | sort | uniq -c | awk '{ printf "%s%d %s", n++ ? ", " : "", $1, $2 }')
    echo "$kills workers killed ($roles) during $runs searches, $((SECONDS - began)) s: $lost journals lost lines, $wrong wrong, $leaked processes or memory files left, $left folders left"
    [ -n "$gpu" ] && echo "memory of $DEVICE in use: ${memory_first:-unknown} MiB before, ${memory_last:-unknown} MiB after; $unreturned searches after which it was not back"
    [ $((lost + wrong + leaked + left + unreturned)) -eq 0 ]; exit
}
[ "$kills_wanted" -gt 0 ] && many_kills
end=$((SECONDS + seconds))
while [ $SECONDS -lt $end ]; do
    runs=$((runs + 1)); out=$W/run$runs; : >"$W/before"
    case ${KIND:-$((RANDOM % 5))} in
    0)  kind='workers killed'; start --out "$out"
        for _ in 1 2 3; do nap 30; w=$(one_of "$(workers $p)"); [ -n "$w" ] && kill -KILL "$w" 2>/dev/null && kills=$((kills + 1)); done
        wait $p; rc=$?; p=; after $rc "0 1"; compare ;;
    1)  kind='workers stopped'; start --out "$out"
        for _ in 1 2; do nap 30; w=$(one_of "$(workers $p)"); [ -n "$w" ] && kill -STOP "$w" 2>/dev/null && stops=$((stops + 1)); done
        wait $p; rc=$?; p=; after $rc "0 1"; compare ;;
    2)  kind='interrupted'; start --out "$out"
        nap 60; kill -INT $p 2>/dev/null && interrupts=$((interrupts + 1)); wait $p; rc=$?; p=; after $rc '0 130'; finish ;;
    3)  kind='killed'; start --out "$out"
        nap 60; kill -KILL $p 2>/dev/null && crashes=$((crashes + 1)); wait $p 2>/dev/null; rc=$?; p=; after $rc '0 137'
        touch -c -d '5 minutes ago' "$TMPDIR"/* 2>/dev/null # -c: it may have left nothing; what it left is old enough for the next run to sweep
        finish ;;
    4)  kind='disk full'; rm -rf "$W/disk-out"
        out_of_disk $((8 + RANDOM % 60)); rc=$?
        [ $rc -eq 99 ] && { echo "torture: no mount here: the full disk is skipped"; continue; }
        full=$((full + 1)); [ -d "$W/disk-out" ] && mv "$W/disk-out" "$out"; after $rc '0 3 4 6'
        [ -d "$out" ] && finish ;;
    esac
    rm -rf "$out"
done
echo "$runs runs ($kills workers killed, $stops stopped, $interrupts interrupts, $crashes kills, $full full disks, $resumes resumed): $lost journals lost lines, $wrong wrong, $leaked processes left, $left folders left"
[ $((lost + wrong + leaked + left)) -eq 0 ]
