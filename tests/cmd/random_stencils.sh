#!/usr/bin/env bash
# Random iterated stencils (tests/poly/stencil_gen.c) with several time steps a launch, on the simulated device: with the
# start that the step chooses and with a random tile, each verified against the C at all sizes. RG_STENCILS files from
# RG_SEED on; RG_KEEP keeps what failed.
# test-deadline: 3000
set -u
B=$(realpath "$BUILD"); S=$B/regraph-search; here=$PWD
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data S W G=$here/graphs/cuda.json
n=${RG_STENCILS:-20}; first=${RG_SEED:-1}
"${CC:-cc}" -std=c11 -o "$W/gen" "$here/tests/poly/stencil_gen.c" || { echo "not ok random-stencils-generator"; exit 1; }
one() {
    s=$1 d=$W/$1 made=; mkdir "$d"; "$W/gen" "$s" >"$d/stencil.c"
    for tile in "" "$(sed -n 's,^// tile: ,,p' "$d/stencil.c")"; do
        timeout -k 2 $((300 * ${SLOW:-1})) "$S" "$d/stencil.c" --device "${DEVICE:-sim:h200}" --apply "time.tile@loop:t$tile" --no-learn --graph "$G" \
            --out "$d/out${tile:+2}" --json -q >"$d/json" 2>"$d/err" </dev/null; rc=$?
        bad=$(tr -d '\n' <"$d/json" | grep -oE '"outcomes": *\{[^}]*\}' | grep -oE '"(compile|plan|wrong|race|bounds|timeout|crash|unsupported|suspect)": [1-9][0-9]*' | tr '\n' ' ')
        case $rc in
        0 | 1) if [ -n "$bad" ]; then echo "bad $s: $tile $bad"; else made=$made+; fi ;;
        3) if [ -n "$tile" ]; then made=${made}0; else echo "refused $s: $(head -c 300 "$d/err")"; fi ;;
        *) echo "bad $s: $tile exit $rc $bad $(head -c 200 "$d/err")" ;;
        esac
    done
    [ -z "$made" ] || echo "done $s: $made"
    [ -n "${RG_KEEP:-}" ] || rm -rf "$d"
}
export -f one
seq "$first" $((first + n - 1)) | xargs -P "${JOBS:-2}" -I{} bash -c 'one {}' >"$W/all"
count() { grep -c "$1" "$W/all"; }
echo "$(count '^done.*+') tiled, $(count '^done.*++') with a random tile too, $(count '^refused') refused, $(count '^bad') bad"
grep '^refused' "$W/all" | sort -V
if grep -q '^bad' "$W/all" || [ "$(count '^done.*++')" -lt $((n / 10)) ] || [ "$(count '^refused')" -gt $((n / 2)) ]; then
    grep '^bad' "$W/all" | sort -V; echo "not ok random-stencils"; [ -n "${RG_KEEP:-}" ] && cp -r "$W" "$RG_KEEP"; exit 1
fi
echo "ok random-stencils"
