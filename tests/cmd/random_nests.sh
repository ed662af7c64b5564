#!/usr/bin/env bash
# Random C functions (tests/poly/nest_gen.h; RG_GENERATOR names another of tests/poly) through the whole line on the simulated device: every candidate of a random
# walk over the steps is verified against the C, or the file is refused with a reason. RG_NESTS programs from RG_SEED on;
# RG_KEEP keeps what failed; DEVICE another device.
# test-deadline: 3000
set -u
B=$(realpath "$BUILD"); S=$B/regraph-search; here=$PWD
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data S W G=$here/graphs/cuda.json EVALS=${RG_EVALS:-3}
n=${RG_NESTS:-60}; first=${RG_SEED:-1}; gen=${RG_GENERATOR:-nest_gen} name=random-${RG_GENERATOR:-nests}
"${CC:-cc}" -std=c11 -I"$here/tests/poly" -o "$W/gen" "$here/tests/poly/$gen.c" || { echo "not ok $name-generator"; exit 1; }
one() {
    s=$1 d=$W/$1; mkdir "$d"; "$W/gen" "$s" >"$d/nest.c"
    timeout -k 2 $((300 * ${SLOW:-1})) "$S" "$d/nest.c" --device "${DEVICE:-sim:h200}" --policy random --seed "$s" --evals "$EVALS" --no-learn --graph "$G" \
        --out "$d/out" --json -q >"$d/json" 2>"$d/err" </dev/null; rc=$?
    bad=$(tr -d '\n' <"$d/json" | grep -oE '"outcomes": *\{[^}]*\}' | grep -oE '"(compile|plan|wrong|race|bounds|timeout|crash|unsupported|suspect)": [1-9][0-9]*' | tr '\n' ' ')
    case $rc in
    0 | 1) if [ -n "$bad" ]; then echo "bad $s: $bad"; elif grep -q '"sequential", "site"\|"step": "sequential"' "$d/json"; then echo "single $s"; else echo "solved $s"; fi ;;
    3) echo "refused $s: $(head -c 300 "$d/err" | tr '\n' ' ')" ;;
    *) echo "bad $s: exit $rc $bad $(head -c 200 "$d/err")" ;;
    esac
    [ -n "${RG_KEEP:-}" ] || rm -rf "$d"
}
export -f one
seq "$first" $((first + n - 1)) | xargs -P "${JOBS:-2}" -I{} bash -c 'one {}' | tee "$W/all" | grep --line-buffered '^bad' >&2
count() { grep -c "^$1 " "$W/all"; }
echo "$(count solved) solved in parallel, $(count single) in one thread, $(count refused) refused, $(count bad) bad"
grep '^refused' "$W/all" | sort -V
if grep -q '^bad' "$W/all" || [ "$(wc -l <"$W/all")" -ne "$n" ]; then
    grep '^bad' "$W/all" | sort -V; echo "not ok $name"; [ -n "${RG_KEEP:-}" ] && { cp -r "$W" "$RG_KEEP"; }; exit 1
fi
echo "ok $name"
