#!/usr/bin/env bash
# First steps, taken before any action: in the chain and the report, left out by --forbid and by an action, learnt.
set -u
R="regraph-search --device sim:h200 --no-learn --force"
S="$R --evals 1 --forbid time.tile"
TOP=$PWD
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W" || exit 1
export XDG_DATA_HOME=$W/data XDG_CACHE_HOME=$W/cache
cat >heat.c <<'C'
void heat(int n, int T, double a[n], double b[n])
{
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
        for (int i = 1; i < n - 1; i++) a[i] = b[i];
    }
}
C
cat >scatter.c <<'C'
void scatter(int n, const int *p, const float *x, float *y)
{
    for (int i = 0; i < n; i++) y[p[i]] = 2 * x[i];
}
C
cat >parts.c <<'C'
void parts(int n, float *x, float *y, const float *w)
{
    for (int i = 1; i < n; i++) {
        x[i] = x[i - 1] * 0.5f + w[i];
        y[i] = w[i] * w[i] + 2;
    }
}
C
cat >rows.c <<'C'
void rows(int n, int m, const float a[n][m], float y[n], float s[m])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) s[j] = a[i][j] * a[i][j];
        float t = 0;
        for (int j = 1; j < m; j++) t += s[j] * s[j - 1];
        y[i] = t;
    }
}
C
cat >state.c <<'C'
void state(int n, const float *x, float *y, float last[1])
{
    float v = last[0];
    for (int p = 0; p < n; p++) {
        v = x[p] * 2;
        for (int k = 0; k < 8; k++) v = v * 0.5f + 0.1f;
        y[p] = v;
    }
    last[0] = v;
}
C
check() { if eval "$2"; then echo "ok $1"; else echo "not ok $1"; tail -n 12 "$1".*; fi; }
one() { # name, sizes, the step, its loop, its line
    $S "$1.c" --size "$2" --out with --json -q >"$1.json" 2>/dev/null </dev/null
    $S "$1.c" --size "$2" --out without --forbid "$3" >"$1.without" 2>&1 </dev/null
    check "$1" 'grep -q "^  best " '"$1"'.without &&
        grep -q "^  steps " '"$1"'.without && ! grep -q "^  steps .*'"$3"'" '"$1"'.without &&
        grep -q "changed before the first step" with/report.html && grep -q "before any action" with/report.html &&
        tr -d " \n" <'"$1"'.json | grep -qF "\"steps\":[{\"step\":\"'"$3"'\",\"site\":\"loop:'"$4"'\",\"tunables\":{}}" &&
        tr -d " \n" <'"$1"'.json | grep -qF "\"prepared\":[{\"step\":\"'"$3"'\",\"loop\":\"'"$4"'\",\"line\":'"$5"'}]"'
}
out() { # name, sizes, the step: an action leaves it out, after a chain that names it
    $R "$1.c" --size "$2" --out out --apply "$3@loop:$4,parallelize,$3@none" >"$1.out" 2>&1 </dev/null
    check "$1-out" 'grep -q "^  steps       parallelize@C, '"$3"'@none" '"$1"'.out && grep -q "^  verified" '"$1"'.out'
}
one heat n=20000,T=10 ping.pong t 3
one scatter n=20000 last.writer i 3
one parts n=20000 fission i 3
one state n=100000 last.value p 4
one rows n=2000,m=100 array.expand i 3
# A refusal is told with its kind and its place.
check refusals 'tr -d " \n" <parts.json | grep -qF "\"refusal\":{\"kind\":\"shape\",\"message\":\"loopi(parts.c:3)hasonestatement:nothingcanbesplitoff\",\"file\":\"parts.c\",\"line\":3}" &&
    tr -d " \n" <parts.json | grep -qF "\"kind\":\"cost\""'
out heat n=20000,T=10 ping.pong t
$R scatter.c --size n=20000 --out stays --apply 'parallelize,last.writer@none' >stays.err 2>&1 </dev/null; rc=$?
check stays '[ $rc -eq 3 ] && grep -q "taken while the function is read" stays.err'
$S heat.c --size n=20000,T=10 --out none --forbid ping.bong >wrong.err 2>&1 </dev/null; rc=$?
check wrong '[ $rc -eq 2 ] && grep -q "no step .ping.bong." wrong.err'

# A graph in which the step is barred: as with --forbid.
cp "$TOP/graphs/cuda.json" barred.json
regraph-graph set-step barred.json ping.pong --never yes >/dev/null 2>&1
$S heat.c --size n=20000,T=10 --graph barred.json --out barred >barred.out 2>&1 </dev/null
regraph-graph set-step barred.json last.writer --never yes >/dev/null 2>&1
$S scatter.c --size n=20000 --graph barred.json --out barred2 >>barred.out 2>&1 </dev/null
check barred 'grep -q "^  steps " barred.out && ! grep -qE "^  steps .*(ping.pong|last.writer)" barred.out'
