#!/usr/bin/env bash
# What the report says of a function whose own results rounding moves far, and of one that holds them.
# test-deadline: 200
set -u
S=$(realpath "$BUILD")/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
bad=0
cat >"$W/chaos.c" <<'C'
void orbit(int n, const float *x, int *steps)
{
    for (int i = 0; i < n; i++) {
        float u = 0.3f + x[i] * x[i] / 1e6f;
        int above = 0;
        for (int t = 0; t < 80; t++) {
            u = 3.9f * u * (1 - u);
            above += u > 0.5f;
        }
        steps[i] = above;
    }
}
C
run() { "$S" "$@" --device sim:h200 --graph graphs/cuda.json --no-learn --evals 1 --out "$W/out" --force </dev/null; }
json() { # name, python condition over the document d, arguments
    local name=$1 want=$2; shift 2
    run "$@" --json >"$W/json" 2>"$W/err"
    if python3 -c "import json,sys; d=json.load(open('$W/json')); u=d['uncertainty']; sys.exit(not ($want))"; then echo "ok $name"
    else echo "not ok $name: $(tr -d '\n ' <"$W/json" | grep -o '"uncertainty".\{150\}') $(tail -n 2 "$W/err")"; bad=1; fi
}
json ill "d['best'] and u['loose'] and u['digits'] < 3 and u['output'] == 'y' and u['at'].startswith('n=')" tests/whole/toeplitz.c --function levinson --init autocorrelation --size n=100
json well "d['best'] and not u['loose'] and u['digits'] > 5 and u['undetermined'] is None" examples/saxpy.c
json integers "u['undetermined']['values'] > 0 and u['undetermined']['output'] == 'steps' and d['best']" "$W/chaos.c" --size n=500
run tests/whole/toeplitz.c --function levinson --init autocorrelation --size n=100 >"$W/text" 2>/dev/null
grep -q 'accuracy    your C gives .* of y at n=.*rounded otherwise' "$W/text" && grep -q 'compute in double, or choose inputs' "$W/text" || { echo "not ok text: $(cat "$W/text")"; bad=1; }
run examples/saxpy.c >"$W/text" 2>/dev/null
if grep -q accuracy "$W/text"; then echo "not ok quiet: $(cat "$W/text")"; bad=1; fi
exit $bad
