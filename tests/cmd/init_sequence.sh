#!/usr/bin/env bash
# Several set-up functions, by options or by a pragma: they run in their order, and what is understood of one is understood of all of them.
# test-deadline: 180
set -u
B=$(realpath "$BUILD"); S=$B/regraph-search here=$PWD
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
bad=0
is() { if grep -qF -- "$3" "$2"; then echo "ok $1"; else echo "not ok $1: no '$3' in: $(head -c 1500 "$2")"; bad=1; fi; }
no() { if grep -qF -- "$3" "$2"; then echo "not ok $1: '$3' in: $(head -c 1500 "$2")"; bad=1; else echo "ok $1"; fi; }
run() { out=$1; shift; "$S" "$@" --device sim:h200 --graph "$here/graphs/cuda.json" --no-learn -q >"$W/$out" 2>&1 </dev/null; echo $? >"$W/$out.rc"; }
cat >"$W/filter.c" <<'E'
#include <stdlib.h>
struct filter { int n, taps; float *x, *w; float gain; };
static struct filter g;
int filter_open(int n, int taps)
{
    if (n < taps || taps < 1) return -1;
    g.n = n;
    g.taps = taps;
    g.x = malloc((size_t)(n + taps - 1) * sizeof *g.x);
    g.w = malloc((size_t)taps * sizeof *g.w);
    return g.x && g.w ? 0 : -1;
}
void filter_signal(float step)
{
    for (int i = 0; i < g.n + g.taps - 1; i++) g.x[i] = (float)(i % 17) * step;
}
void filter_window(float gain)
{
    for (int k = 0; k < g.taps; k++) g.w[k] = gain / (float)(k + 1);
}
void filter_apply(float *y)
{
    for (int i = 0; i < g.n; i++) {
        float s = 0;
        for (int k = 0; k < g.taps; k++) s += g.w[k] * g.x[i + k];
        y[i] = s;
    }
}
E
three="--init filter_open --init filter_signal --init filter_window"
run filter "$W/filter.c" --function filter_apply $three --explain
is "all of them" "$W/filter" "inputs by filter_open, filter_signal, filter_window"
is "an extent of the first, filled by the second" "$W/filter" "float[g.n + g.taps - 1] file-scope variable or member  input init(filter_open, filter_signal, filter_window)"
is "what fits behind the first's door" "$W/filter" "g.n=545, g.taps=512  verified"
no "what it turns back at" "$W/filter" "g.n=3, g.taps=5"
is "who takes a number that nobody said" "$W/filter" "gain of filter_window is 0.5"
run list "$W/filter.c" --function filter_apply --init 'filter_open, filter_signal,filter_window' --input 'gain=constant(2)' --explain
is "a list of names" "$W/list" "inputs by filter_open, filter_signal, filter_window"
no "a number that is stated" "$W/list" "gain of filter_window"
run order "$W/filter.c" --function filter_apply $three --size g.n=400,g.taps=9 --evals 3 --out "$W/out"
is "verified" "$W/order" "verified "
is "the problem says the sequence" "$W/out/problem.json" '"filter_open, filter_signal, filter_window"'
is "and its text" "$W/out/problem.json" 'filter_signal(step);\n    filter_window(gain);'
"$S" --resume "$W/out" --evals 5 -q --no-learn >"$W/resumed" 2>&1 </dev/null
is "goes on" "$W/resumed" "verified "
"$B/regraph-verify" "$W/out/certificate.json" >"$W/again" 2>&1 </dev/null; rc=$?
[ $rc = 0 ] && echo "ok certificate" || { echo "not ok certificate: $rc $(head -c 600 "$W/again")"; bad=1; }

run absent "$W/filter.c" --function filter_apply --init filter_open --init filter_signel --explain
is "one that is not there" "$W/absent" "no function 'filter_signel' in the file: init names functions that fill parameters; did you mean 'filter_signal'?"
run twice "$W/filter.c" --function filter_apply --init filter_open --init filter_signal --init filter_open --explain
is "one named twice" "$W/twice" "'filter_open' is named twice"
run none "$W/filter.c" --function filter_apply --init filter_open --init none --explain
is "none beside others" "$W/none" "'none' runs no function, and filter_open is named beside it"
run main "$W/filter.c" --function filter_apply --init filter_open --init main --explain
is "main beside others" "$W/main" "main makes all that the function needs itself, and filter_open is named beside it"
run itself "$W/filter.c" --function filter_apply --init filter_open --init filter_apply --explain
is "the function itself" "$W/itself" "filter_apply is the function itself"
run empty "$W/filter.c" --function filter_apply --init 'filter_open,' --explain
is "a name is missing" "$W/empty" "a name is missing between the commas of init(filter_open,)"
for f in absent twice none main itself empty; do [ "$(cat "$W/$f.rc")" = 3 ] || { echo "not ok $f: exit $(cat "$W/$f.rc")"; bad=1; }; done

# Names that two of them share for different things, as their caller shows, and names for one thing.
cat >"$W/plate.c" <<'E'
#include <stdlib.h>
static int nx, ny, hot;
static float *u, *v;
void plate_size(int n, int m) { nx = n; ny = m; u = calloc((size_t)n * m, sizeof *u); v = calloc((size_t)n * m, sizeof *v); }
void plate_heat(int n, int cols) { hot = n; for (int i = 0; i < cols; i++) u[i] = 1.0f + 0.25f * (float)(i % 5); }
void plate_step(void)
{
    for (int i = 1; i < nx - 1; i++)
        for (int j = 1; j < ny - 1; j++) v[i * ny + j] = 0.25f * (u[(i - 1) * ny + j] + u[(i + 1) * ny + j] + u[i * ny + j - 1] + u[i * ny + j + 1]) + 0.5f * (float)hot;
}
int plate_run(int rows, int cols, int watts)
{
    plate_size(rows, cols);
    plate_heat(watts, cols);
    plate_step();
    return 0;
}
E
run plate "$W/plate.c" --function plate_step --init plate_size --init plate_heat --size nx=60,ny=40,hot=3 --evals 2 --out "$W/plate_out"
is "verified with a name for two things" "$W/plate" "verified "
is "what is one for both" "$W/plate_out/problem.json" 'plate_heat(plate_heat_n, m);'

# The pragma; and options instead of it.
sed 's/^void filter_apply/#pragma regraph init(filter_open, filter_signal, filter_window)\n&/' "$W/filter.c" >"$W/pragma.c"
run pragma "$W/pragma.c" --explain
is "a pragma names several" "$W/pragma" "inputs by filter_open, filter_signal, filter_window"
run instead "$W/pragma.c" --init filter_open --init filter_window --explain
is "options count" "$W/instead" "inputs by filter_open, filter_window"
run never "$W/pragma.c" --init none --explain
no "none of them" "$W/never" "inputs by"
exit $bad
