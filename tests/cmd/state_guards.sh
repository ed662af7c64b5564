#!/usr/bin/env bash
# Static numbers that say what is done already: what is done at the first call alone is done at each where that gives the same, and stays a
# question of the state where it does not (frontend/read/build_guard.c). What pointers stand for where ways meet (build_cell.c). Assertions become requirements.
# test-deadline: 60
set -u
S=$(realpath "$BUILD")/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
fails=0
# says NAME PATTERN COUNT: how many lines of the tree as it was read, of what stands on stdin, have the pattern
says() {
    cat >"$1.c"
    "$S" "$1.c" --function f --size n=1000 --explain=passes 2>&1 | sed -n '/^== reading/,/^}/p' >"$1.txt"
    n=$(grep -cE "$2" "$1.txt")
    if [ "$n" = "$3" ] && grep -q '^{' "$1.txt"; then echo "ok $1"; else echo "not ok $1: $n lines with $2, wanted $3"; head -n 30 "$1.txt"; fails=1; fi
}
says table 'if \(' 0 <<'C'
#include <math.h>
static int ready; static float tab[256];
static void init(void) { for (int i = 0; i < 256; i++) tab[i] = sqrtf(i); ready = 1; }
void f(int n, const unsigned char *x, float *y) { if (!ready) init(); for (int i = 0; i < n; i++) y[i] = tab[x[i]]; }
C
says keyed 'made_for\[' 0 <<'C'
#include <math.h>
static double made_for = -1; static float tab[256];
static void make(double gamma) { if (gamma == made_for) return; for (int i = 0; i < 256; i++) tab[i] = pow(i, gamma); made_for = gamma; }
void f(int n, double gamma, const unsigned char *x, float *y) { make(gamma); for (int i = 0; i < n; i++) y[i] = tab[x[i]]; }
C
says room 'room\[' 0 <<'C'
#include <stdlib.h>
static float *buf; static int room;
static void need(int n) { if (n > room) { free(buf); buf = malloc(n * sizeof *buf); room = n; } }
void f(int n, const float *x, float *y) { need(n); for (int i = 0; i < n; i++) buf[i] = x[i] * 2; for (int i = 0; i < n; i++) y[i] = buf[n - 1 - i]; }
C
says former_call 'if \(have\[0\]\)' 1 <<'C'
static int have; static float prev[1000];
void f(int n, const float x[1000], float y[1000])
{
    for (int i = 0; i < n; i++) y[i] = x[i];
    if (have) for (int i = 0; i < n; i++) y[i] -= prev[i];
    for (int i = 0; i < 1000; i++) prev[i] = x[i];
    have = 1;
}
C
says first_argument 'if \(!ready\[0\]\)' 1 <<'C'
static int ready; static float gain;
void f(int n, float g, const float *x, float *y) { if (!ready) { gain = g; ready = 1; } for (int i = 0; i < n; i++) y[i] = gain * x[i]; }
C
says set_elsewhere 'if \(!ready\[0\]\)' 1 <<'C'
static int ready; static float gain, tab[16];
void set_gain(float g) { gain = g; }
static void init(void) { for (int i = 0; i < 16; i++) tab[i] = gain * i; ready = 1; }
void f(int n, const unsigned char *x, float *y) { if (!ready) init(); for (int i = 0; i < n; i++) y[i] = tab[x[i] & 15]; }
C
says returned_code 'result\[0\] = -1' 1 <<'C'
struct ctx { int n; const float *x; float s; };
static struct ctx the_ctx; static struct ctx *ctx;
static int init(int n, const float *x, float s) { if (n <= 4) return -1; ctx = &the_ctx; ctx->n = n; ctx->x = x; ctx->s = s; return 0; }
int f(int n, const float *x, float s, float *y) { int rc = init(n, x, s); if (rc) return -1; for (int i = 0; i < ctx->n; i++) y[i] = ctx->s * ctx->x[i]; return 0; }
C
says left_early 'p_[0-9]+ = bufs' 3 <<'C'
#include <stdlib.h>
static int *bufs[3];
static int odd(const int *x) { return x[0] & 1; }
void f(int n, const int *x, int *y)
{
    for (int k = 0; k < 3; k++) bufs[k] = malloc(n * sizeof(int));
    for (int k = 0; k < 3; k++) for (int i = 0; i < n; i++) bufs[k][i] = x[i] * (k + 2);
    int *p = bufs[0];
    for (int r = 0; r < 4; r++) { if (odd(x)) { p = bufs[1]; break; } p = bufs[2]; }
    for (int i = 0; i < n; i++) y[i] = p[i];
}
C
says set_on_one_way 'st_k\[0\]' 2 <<'C'
static struct { int k; int n; const int *x; } st;
void f(int n, int flag, const int *x, int *y) { st.n = n; st.x = x; if (flag > 1) st.k = 5; for (int i = 0; i < st.n; i++) y[i] = st.x[i] * st.k; }
C
cat >asserted.c <<'C'
#include <assert.h>
void f(int n, int rows, int cols, const float *x, float *y) { assert(n == rows * cols && cols % 4 == 0); for (int i = 0; i < rows * cols; i++) y[i] = 2 * x[i]; }
C
got=$("$S" asserted.c --size n=1200,rows=30,cols=40 --explain 2>&1 | grep -c 'require.*rows')
if [ "$got" -ge 1 ]; then echo "ok asserted"; else echo "not ok asserted"; fails=1; fi
exit $fails
