#!/usr/bin/env bash
# A function that takes powers of two alone: tried at other sizes, it leaves its array; it is then made for those, and that is said and checked.
# test-deadline: 240
set -u
S=$(realpath "$BUILD")/regraph-search; G=$PWD/graphs/cuda.json
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
cat >walsh.c <<'C'
void walsh(int n, float *x)
{
    int h = 1;
    while (h < n && x[0] < 1e30f) { /* an end by the data: nothing can be read off the loop */
        int step = 2 * h;
        for (int i = 0; i < h; i++)
            for (int j = i; j < n; j += step) {
                float t = x[j + h];
                x[j + h] = x[j] - t;
                x[j] += t;
            }
        h = step;
    }
}
C
bad=0
ok() { if eval "$2"; then echo "ok $1"; else echo "not ok $1: $(tail -n 3 out) $(tail -n 2 err)"; bad=1; fi; }
run() { "$S" walsh.c --graph "$G" --device sim:h200 --no-learn --evals 2 --out run "$@" >out 2>err </dev/null; }
run --size n=1024 --extent x=n --force
ok "powers" "[ $? = 0 ] || [ $? = 1 ]"
ok "said" "grep -q 'n a power of two: the C does not take other sizes' out"
ok "verified" "grep -q 'verified    largest error' out"
ok "required" "grep -q '1073741824 *% *n *== *0' run/best.cu"
run --resume
ok "resumed" "! grep -q 'out of bounds' err"
run --size n=1000 --extent x=n --force
ok "other sizes are refused" "[ $? = 3 ] && grep -q 'out of bounds' err"
run --size n=1024 --extent x=n --require 'n > 0' --force
ok "what the user requires stands" "[ $? = 3 ] && grep -q 'out of bounds' err"
# Scratch that halves leave unset at odd lengths: what malloc gives differs between two runs of the C, so that this shows.
cat >haar.c <<'C'
#include <stdlib.h>
void haar(int n, float *x)
{
    float *t = malloc(n * sizeof *t);
    for (int len = n; len > 1; len /= 2) {
        int h = len / 2;
        for (int i = 0; i < h; i++) t[i] = x[2 * i] + x[2 * i + 1], t[h + i] = x[2 * i] - x[2 * i + 1];
        for (int i = 0; i < len; i++) x[i] = t[i];
    }
    free(t);
}
C
"$S" haar.c --graph "$G" --device sim:h200 --no-learn --evals 1 --out run --size n=4096 --extent x=n --force >out 2>err </dev/null
ok "unset scratch" "[ $? -le 1 ] && grep -q 'n a power of two: the C does not take other sizes' out && grep -q 'verified    largest error' out"
"$S" haar.c --graph "$G" --device sim:h200 --no-learn --evals 1 --out run --size n=3000 --extent x=n --force >out 2>err </dev/null
ok "is named" "[ $? = 3 ] && grep -q 'Does it read what it has not written' err"
exit $bad
