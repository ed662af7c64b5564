#!/usr/bin/env bash
# --explain=passes: the tree after each pass of the front end, and nothing else is done.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd); S=$(realpath -m "${BUILD:-$here/build}")/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
cd "$W" || exit 1
bad=0
t() { if eval "$2"; then echo "ok $1"; else echo "not ok $1"; bad=1; tail -n 20 out err; fi; }
run() { timeout 60 "$S" "$@" --device sim:h200 --graph "$here/graphs/cuda.json" --no-learn >out 2>err </dev/null; rc=$?; }
cat >skip.c <<'C'
#pragma regraph size(n=1000)
void skip(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        if (i % 2) continue;
        y[i] = x[i];
    }
}
C
after() { awk -v p="== $1: " 'index($0, p) == 1 { on = 1; next } /^== / { on = 0 } on' out; }
run skip.c --explain=passes
t runs '[ $rc -eq 0 ] && ! grep -q "^steps\|refused" out'
t raw 'after reading | grep -q continue && after reading | grep -q "i += 1"'
t control 'after control | grep -q . && ! after control | grep -q continue'
t loops 'after loops | grep -q "i++"'
t unchanged 'grep -q "^== switches: .* ms): no change$" out'
t times '[ "$(grep -c "^== .* ([0-9.]* ms)" out)" -eq "$(grep -c "^== " out)" ]'
cat >decided.c <<'C'
#pragma regraph size(n=100)
void decided(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        float t = x[i] * 2;
        y[i] = x[i];
        if (n < 0) y[i] = t;
    }
}
C
run decided.c --explain=passes
t dead_again 'after branches | grep -q "float t" && after dead | grep -q "y.i. = " && ! after dead | grep -q "float t"'
run skip.c --explain --save-problem p.json
t plain '[ $rc -eq 0 ] && ! grep -q "^== " out'
run --problem p.json --explain=passes
t saved '[ $rc -eq 2 ] && grep -q "needs the C file" err'
run skip.c --explain=parses
t word '[ $rc -eq 2 ] && grep -q "is one of passes" err'
exit $bad
