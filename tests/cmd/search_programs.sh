#!/usr/bin/env bash
# Programs of tests/poly/programs are solved on the simulated device: verified, exported, enough threads at the timed size;
# the first of each kind goes through nvcc where there is one. ONLY_PROGRAM=glob for some of them.
# A program may say `test-threads: N` (least; 10000) and `test-search: no`.
# test-parts: 6
# test-deadline: 900
set -u
S=$(realpath "$BUILD")/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
PATH=$PATH:/usr/local/cuda/bin
bad=0 kind='' i=0
for f in tests/poly/programs/${ONLY_PROGRAM:-*}.c; do
    n=$(basename "$f" .c)
    [[ $n == refuse_* ]] && continue
    grep -q 'test-search: no' "$f" && continue
    [ $((i++ % ${PARTS:-1})) = $((${PART:-1} - 1)) ] || continue
    least=$(grep -m1 -oE 'test-threads: [0-9]+' "$f" | grep -oE '[0-9]+')
    timeout $((300 * ${SLOW:-1})) "$S" "$f" --device sim:h200 --evals 8 --patience 0 --json --out "$W/$n" >"$W/$n.json" 2>"$W/$n.err" </dev/null; rc=$?
    threads=$(grep -m1 '"most_threads"' "$W/$n.json" | grep -oE '[0-9.]+' | head -1)
    if [ $rc -gt 1 ]; then echo "not ok $n: exit $rc: $(tail -n 3 "$W/$n.err" | tr '\n' ' ')"; bad=1
    elif ! [ -s "$W/$n/best.cu" ]; then echo "not ok $n: no best.cu"; bad=1
    elif [ "$(printf '%.0f' "${threads:-0}")" -lt "${least:-10000}" ]; then echo "not ok $n: only ${threads:-?} threads"; bad=1
    elif [ "${n%%_*}" != "$kind" ] && command -v nvcc >/dev/null && ! nvcc -c -arch=sm_90 -o "$W/$n.o" "$W/$n/best.cu" >"$W/$n.nvcc" 2>&1; then
        echo "not ok $n: nvcc: $(head -n 3 "$W/$n.nvcc" | tr '\n' ' ')"; bad=1
    else echo "ok $n"; fi
    kind=${n%%_*}
done
exit $bad
