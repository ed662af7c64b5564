#!/usr/bin/env bash
# tests/poly/cases/*.c on the simulated device: every candidate is verified against the C, and the best is parallel where the
# first line says so; a line `// chain: STEP@SITE,...` is such a chain, which must be verified too, and whose best.cu matches
# `// shows: REGEX` and not `// lacks: REGEX`; `// refused: STEP@SITE,... : TEXT` is a chain that is refused with that in the reason;
# `// unoffered: STEP@SITE : TEXT` is left out of what a search tries, with that in the reason.
# test-deadline: 2700
# test-parts: 6
set -u
B=$(realpath "$BUILD"); S=$B/regraph-search; here=$PWD
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
fails=0 i=0
for f in tests/poly/cases/${CASE:-}*.c; do
    [ $((i++ % ${PARTS:-1})) = $((${PART:-1} - 1)) ] || continue
    n=$(basename "$f" .c); want=$(sed -n '1s/.*want: //p' "$f")
    "$S" "$f" --device sim:h200 --evals 6 --no-learn --graph graphs/cuda.json --out "$W/$n" --json -q >"$W/json" 2>"$W/err" </dev/null; rc=$?
    bad=$(tr -d '\n' <"$W/json" | grep -oE '"outcomes": *\{[^}]*\}' | grep -oE '"(compile|plan|wrong|race|bounds|timeout|crash)": [1-9][0-9]*')
    got=parallel; grep -q '"step": "sequential"' "$W/json" && got=sequential
    if [ $rc -le 1 ] && [ -z "$bad" ] && [ "$got" = "$want" ]; then echo "ok case-$n"; else echo "not ok case-$n: exit $rc, $got, $bad $(head -c 300 "$W/err")"; fails=1; fi
    no=$(sed -n 's,^// refused: \(.*\) : .*,\1,p' "$f"); why=$(sed -n 's,^// refused: .* : ,,p' "$f")
    if [ -n "$no" ]; then
        "$S" "$f" --device sim:h200 --apply "$no" --no-learn --graph graphs/cuda.json --out "$W/$n-no" -q 2>"$W/err" >/dev/null </dev/null; rc=$?
        if [ $rc = 3 ] && grep -qF -- "$why" "$W/err"; then echo "ok refused-$n"; else echo "not ok refused-$n: exit $rc, $(head -c 300 "$W/err")"; fails=1; fi
    fi
    no=$(sed -n 's,^// unoffered: \(.*\) : .*,\1,p' "$f"); why=$(sed -n 's,^// unoffered: .* : ,,p' "$f")
    if [ -n "$no" ]; then
        "$S" "$f" --device sim:h200 --explain --no-learn --graph graphs/cuda.json >"$W/explained" 2>"$W/err" </dev/null; rc=$?
        if [ $rc = 0 ] && grep -F -- "  $no not offered: " "$W/explained" | grep -qF -- "$why"; then echo "ok unoffered-$n"; else echo "not ok unoffered-$n: exit $rc, $(grep -F -- "$no" "$W/explained" | head -c 300)"; fails=1; fi
    fi
    chain=$(sed -n 's,^// chain: ,,p' "$f"); [ -n "$chain" ] || continue
    "$S" "$f" --device sim:h200 --apply "$chain" --no-learn --graph graphs/cuda.json --out "$W/$n-chain" -q 2>"$W/err" >/dev/null </dev/null; rc=$?
    shows=$(sed -n 's,^// shows: ,,p' "$f"); lacks=$(sed -n 's,^// lacks: ,,p' "$f"); bad=
    [ -z "$shows" ] || grep -qE -- "$shows" "$W/$n-chain/best.cu" || bad="no '$shows'"
    [ -z "$lacks" ] || ! grep -qE -- "$lacks" "$W/$n-chain/best.cu" || bad="has '$lacks'"
    if [ $rc -le 1 ] && [ -z "$bad" ]; then echo "ok chain-$n"; else echo "not ok chain-$n: exit $rc, $bad $(head -c 300 "$W/err")"; fails=1; fi
done
exit $fails
