#!/usr/bin/env bash
# Inputs that an init function makes for some sizes alone: those that nobody asked for, at which the function then leaves its arrays, are left
# out, and that is said; at a size of the user's own, and where no other is left, it is refused. So are random inputs at sizes that are too small
# for the function.
# test-deadline: 300
set -u
S=$(realpath "$BUILD")/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
cat >"$W/mesh.c" <<'C'
/* pairs of neighbours on a side x side grid: points of a last row that is not full have neighbours that are not there */
void pairs(int n, float *x, int m, int *to)
{
    int side = 1;
    while (side * side < n) side++;
    for (int i = 0; i < n; i++) x[i] = (float)(i % 17) / 16;
    for (int i = 0; i < m; i++) to[i] = i / side + 1 < side ? i + side : i;
}
void spread(int n, const float *x, int m, const int *to, float *y)
{
    for (int i = 0; i < n; i++) y[i] = x[i];
    for (int i = 0; i < m && i < n; i++) y[i] += 0.25f * x[to[i]];
}
C
search() { # $1: name of the log; the rest: options
    log=$1; shift
    "$S" "$W/mesh.c" --function spread --init pairs --extent 'x: n' --extent 'to: m' --extent 'y: n' --device sim:h200 --graph graphs/cuda.json \
        --no-learn --evals 1 --no-report --force --out "$W/out" "$@" >"$W/$log" 2>&1 </dev/null
}
search chosen --size n=250000,m=250000; rc=$?
{ [ $rc -le 1 ] && grep -q 'not at n=.*memory out of bounds' "$W/chosen" && grep -q 'verified *largest error' "$W/chosen"; } ||
    { echo "not ok chosen-sizes: exit $rc: $(tail -n 3 "$W/chosen")"; exit 1; }
search explained --size n=250000,m=250000 --explain; rc=$?
{ [ $rc -eq 0 ] && ! grep -q 'refuses it' "$W/explained"; } || { echo "not ok chosen-sizes-explained: exit $rc: $(tail -n 3 "$W/explained")"; exit 1; }
search own --size n=250000,m=250000 --size n=23,m=23; rc=$?
{ [ $rc -eq 3 ] && grep -q 'out of bounds at n=23' "$W/own"; } || { echo "not ok chosen-sizes-own: exit $rc: $(tail -n 3 "$W/own")"; exit 1; }
cat >"$W/ring.c" <<'C'
/* five neighbours to either side on a ring, of which the C wraps once: five points at least */
void around(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = -5; k <= 5; k++) {
            int j = i + k;
            if (j < 0) j += n; else if (j >= n) j -= n;
            s += x[j];
        }
        y[i] = s;
    }
}
C
ring() { log=$1; shift; "$S" "$W/ring.c" --extent 'x: n' --extent 'y: n' --device sim:h200 --graph graphs/cuda.json --no-learn --evals 1 --no-report --force \
    --out "$W/out" "$@" >"$W/$log" 2>&1 </dev/null; }
ring small --size n=20000; rc=$?
{ [ $rc -le 1 ] && grep -q 'not at n=[1-4] .*out of bounds' "$W/small" && grep -q 'verified *largest error' "$W/small"; } ||
    { echo "not ok too-small: exit $rc: $(tail -n 5 "$W/small")"; exit 1; }
ring stated --size n=20000 --size n=3; rc=$?
{ [ $rc -eq 3 ] && grep -q 'out of bounds' "$W/stated"; } || { echo "not ok too-small-stated: exit $rc: $(tail -n 3 "$W/stated")"; exit 1; }
sed 's/s += x\[j\]/s += x[j + 1]/' "$W/ring.c" >"$W/r" && mv "$W/r" "$W/ring.c"
ring wrong --size n=20000; rc=$?
{ [ $rc -eq 3 ] && grep -q 'out of bounds' "$W/wrong"; } || { echo "not ok outside-at-every-size: exit $rc: $(tail -n 3 "$W/wrong")"; exit 1; }
echo "ok chosen-sizes"
