#!/usr/bin/env bash
# Changes of the loop nest before the first step: said beside the steps, and left out by --forbid.
set -u
S="regraph-search --device sim:h200 --no-learn --evals 1 --forbid time.tile --force"
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
one() { # name, sizes, the change, its loop, its line
    $S "$1.c" --size "$2" --out with >"$1.with" 2>&1 </dev/null
    $S "$1.c" --size "$2" --out with --json -q >"$1.json" 2>/dev/null </dev/null
    $S "$1.c" --size "$2" --out without --forbid "$3" >"$1.without" 2>&1 </dev/null
    check "$1" 'grep -q "^  prepared    '"$3@loop:$4"'\$" '"$1"'.with && grep -q "^  best " '"$1"'.without && ! grep -q "^  prepared" '"$1"'.without &&
        grep -q "changed before the first step" with/report.html &&
        tr -d " \n" <'"$1"'.json | grep -qF "\"prepared\":[{\"step\":\"'"$3"'\",\"loop\":\"'"$4"'\",\"line\":'"$5"'}]"'
}
one heat n=20000,T=10 ping.pong t 3
one scatter n=20000 last.writer i 3
one parts n=20000 fission i 3
one state n=100000 last.value p 4
one rows n=2000,m=100 array.expand i 3
$S heat.c --size n=20000,T=10 --out none --forbid ping.bong >wrong.err 2>&1 </dev/null; rc=$?
check wrong '[ $rc -eq 2 ] && grep -q "no step .ping.bong." wrong.err'
