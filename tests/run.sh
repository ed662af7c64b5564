#!/usr/bin/env bash
# Runs every test program and shell test, each with a deadline (SLOW=4: four times as long), and ends with `N passed, N failed, N skipped`.
# Programs speak cmocka's format; shell tests print `ok NAME`, `not ok NAME`, `skip NAME (why)`. SLOWEST=N names those that took longest.
# A shell test with a line `# test-parts: N` is run N times, with PART=1 to N and PARTS=N: each does its share; with SHARE=6 every sixth part
# is run. Longest deadlines first, so that no core waits for the last.
set -u
cd "$(dirname "$0")/.."
BUILD=$(realpath -m "${BUILD:-build}"); export BUILD
export RG_DEVICES=$PWD/runtime/devices # wherever the build stands
export RG_VERIFY=1 # trees are checked after every pass
export PATH="$BUILD:$PATH"
export XDG_CACHE_HOME=${TMPDIR:-/tmp}/regraph-test-cache-$(id -u) # the user's own stays as it is
out=$BUILD/test-output; rm -rf "$out"; mkdir -p "$out"
only=${ONLY:-}
run_one() {
    t=${1%%:*}; name=${t#"$BUILD"/}; log=$out/$(echo "$name" | tr / _)
    if [ "$1" != "$t" ]; then export PART=${1##*:}; PARTS=$(grep -m1 -oE 'test-parts: [0-9]+' "$t" | grep -oE '[0-9]+$'); export PARTS; log=$log.$PART; fi
    log=$log.log
    limit=$(grep -m1 -oE 'test-deadline: [0-9]+' "${name%.sh}.c" "$t" 2>/dev/null | grep -oE '[0-9]+$' | head -1)
    began=${EPOCHREALTIME/[.,]/}
    timeout -k 5 $((${limit:-180} * ${SLOW:-1})) "$t" </dev/null >"$log" 2>&1; rc=$?
    name=$name${PART:+ ($PART of $PARTS)}
    echo "$(((${EPOCHREALTIME/[.,]/} - began) / 100000)) $name" >"$log.time"
    ok=$(grep -aoE '^(\[       OK \] |ok )' "$log" | wc -l); skip=$(grep -aE '^(\[  SKIPPED \] [A-Za-z_]|skip )' "$log" | grep -avE 'test\(s\)' | sort -u | wc -l)
    bad=$(grep -aE '^(\[  FAILED  \] |not ok )' "$log" | grep -avE 'test\(s\)' | sort -u | wc -l)
    if [ $rc -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; echo "not ok $name (exit $rc)" >>"$log"; fi
    if [ $rc -eq 0 ] && [ $((ok + skip)) -eq 0 ]; then bad=1; echo "not ok $name (ran no test)" >>"$log"; fi
    echo "$ok $bad $skip" >"$log.count"
    if [ "$bad" -gt 0 ]; then echo "FAIL $name (exit $rc)"; grep -aE '^(\[  FAILED|ERROR: |not ok|\[   LINE|.*error:|==.*ERROR)' "$log" | head -20; else echo "ok   $name ($ok passed$( [ "$skip" -gt 0 ] && echo ", $skip skipped"))"; grep -aE '^skip ' "$log"; fi
}
export -f run_one; export out
{ for t in tests/*/test_*.c; do [ -f "$t" ] && echo "$BUILD/${t%.c}"; done; for t in tests/cmd/*.sh; do [ -f "$t" ] && echo "$t"; done; } |
    grep -E "${only:-.}" | while read -r t; do
    n=${t#"$BUILD"/}; d=$(grep -m1 -oE 'test-deadline: [0-9]+' "${n%.sh}.c" "$t" 2>/dev/null | grep -oE '[0-9]+$' | head -1)
    parts=$(grep -m1 -oE '^# test-parts: [0-9]+' "$t" 2>/dev/null | grep -oE '[0-9]+$')
    if [ -n "$parts" ]; then seq 1 "${SHARE:-1}" "$parts" | sed "s,^,${d:-180} $t:,"; else echo "${d:-180} $t"; fi
done | sort -k1,1nr -s | cut -d' ' -f2- | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'run_one {}'
[ -n "${SLOWEST:-}" ] && cat "$out"/*.time | sort -rn | head -n "$SLOWEST" | awk '{ printf "%7.1f s  %s\n", $1 / 10, $2 }'
cat "$out"/*.count 2>/dev/null | awk '{p+=$1; f+=$2; s+=$3} END {printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0}'
