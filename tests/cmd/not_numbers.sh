#!/usr/bin/env bash
# Results of the C that are no numbers: few of them are compared as they are, most of them refused.
# test-deadline: 200
set -u
S=$(realpath "$BUILD")/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
bad=0
every() { # of how many elements one has no value
    cat >"$W/e$1.c" <<C
void ratio(const float *x, const float *y, float *q, int n)
{
    for (int i = 0; i < n; i++) {
        int k = i % $1 != 0;
        q[i] = x[i] * (float)k / (k ? y[i] * y[i] + 0.5f : 0.0f);
    }
}
C
}
cat >"$W/far.c" <<'C'
void far(const double *x, double *q, int n)
{
    for (int i = 0; i < n; i++) q[i] = (x[i] * x[i] + 1) / (i % 7 ? 1 : 0);
}
C
run() { "$S" "$@" --device sim:h200 --graph graphs/cuda.json --no-learn --evals 1 --out "$W/out" --force </dev/null; }
json() { # name, python condition over not_numbers, arguments
    local name=$1 want=$2; shift 2
    run "$@" --json >"$W/json" 2>"$W/err"
    if python3 -c "import json,sys; d=json.load(open('$W/json')); u=d['not_numbers']; sys.exit(not (d['best'] and ($want)))"; then echo "ok $name"
    else echo "not ok $name: $(tr -d '\n ' <"$W/json" | grep -o '"not_numbers".\{120\}') $(tail -n 2 "$W/err")"; bad=1; fi
}
every 9; every 3
json few "u['nan'] > 0 and u['infinite'] == 0 and u['nan'] * 8 < u['of'] and u['output'] == 'q'" "$W/e9.c" --size n=900
json infinite "u['infinite'] > 0 and u['nan'] == 0" "$W/far.c" --size n=900
json none "u is None" examples/saxpy.c
if run "$W/e3.c" --size n=900 >"$W/text" 2>&1; then echo "not ok most: $(tail -n 3 "$W/text")"; bad=1
elif grep -q 'of its .* values are no numbers (NaN or infinite): too many to be compared with' "$W/text"; then echo "ok most"
else echo "not ok most: $(tail -n 3 "$W/text")"; bad=1; fi
run "$W/e9.c" --size n=900 >"$W/text" 2>&1
grep -q 'accuracy    100 of .* results of the C are NaN (q at n=.*); compared as NaN' "$W/text" || { echo "not ok text: $(cat "$W/text")"; bad=1; }
exit $bad
