#!/usr/bin/env bash
# A search is stopped while dependences are still analysed: within two seconds, however much there is to analyse; and with a short --time analysis
# ends with its share.
# test-deadline: 120
set -u
S=$(realpath "$BUILD")/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'"; fails=1; fi; }
{
    echo 'void many(int n, double a[n][n][n], double b[n][n][n]) {'
    for k in $(seq 60); do
        echo "for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int l = 1; l < n - 1; l++) {"
        echo "b[i][j][l] = a[i-1][j][l] + a[i+1][j][l] * $k.0 + a[i][j-1][l] + a[i][j][l+1]; a[i][j][l] = b[i][j-1][l] + b[i][j][l]; }"
    done
    echo '}'
} >"$W/many.c"
for wait in 1 3; do
    "$S" "$W/many.c" --size n=20 --time 60s --out "$W/out$wait" --no-learn -q >/dev/null 2>&1 & p=$!
    sleep $wait
    kill -TERM $p; from=$(date +%s%N); wait $p; rc=$?
    ok "term-after-$wait" "$rc $(($(date +%s%N) - from < 2000000000))" '143 1'
done
exit $fails
