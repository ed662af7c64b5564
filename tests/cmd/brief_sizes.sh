#!/usr/bin/env bash
# Sizes that nobody gave are smaller where the C takes longer than its loops say; what the user states stays. A run that is resumed has them again.
# test-deadline: 400
set -u
S=$(realpath "$BUILD")/regraph-search; G=$PWD/graphs/cuda.json
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
bad=0
ok() { if eval "$2"; then echo "ok $1"; else echo "not ok $1: $(tail -n 4 out) $(tail -n 2 err)"; bad=1; fi; }
run() { timeout 120 "$S" "$@" --graph "$G" --device sim:h200 --no-learn --evals 1 --out run >out 2>err </dev/null; }
value() { grep -m1 -oE "^  sizes .*\b$1=[0-9]+" out | grep -oE '[0-9]+$'; }

# Data lead the inner loop: it goes over both arrays, which no count sees.
cat >nearest.c <<'C'
void nearest(int na, const int *a, int nb, const int *b, int nt, const long *target, long *out)
{
    for (int t = 0; t < nt; t++) {
        long best = 1L << 40;
        int i = 0, j = nb;
        while (i < na && j > 0) {
            long s = (long)a[i] + b[j - 1] - target[t] + (t & 1);
            if ((s < 0 ? -s : s) + 1 < best) best = (s < 0 ? -s : s) + 1;
            if (s < 0) i++; else j--;
        }
        out[t] = best;
    }
}
C
run nearest.c --extent 'a: na' --extent 'b: nb' --force
ok "smaller" "[ \$? -le 1 ] && [ \"\$(value nt)\" -le 100000 ] && [ \"\$(value nt)\" -ge 500 ]"
ok "said" "grep -q 'no larger, as the C takes longer than its loops say' out"
ok "quick" "grep -qE 'sequential  [0-9.]+ (ms|us) ' out"
was=$(value nt)
run nearest.c --extent 'a: na' --extent 'b: nb' --resume
ok "resumed" "[ \$? -le 1 ] && [ \"\$(value nt)\" = $was ]"
run nearest.c --extent 'a: na' --extent 'b: nb' --size na=3000,nb=3000,nt=30000 --force
ok "stated" "[ \"\$(value nt)\" = 30000 ] && ! grep -q 'no larger' out"

# Long where no value is below 0, which is not timed: there it is verified at less.
cat >spans.c <<'C'
void spans(int n, const float *y, int *out)
{
    for (int i = 0; i < n; i++) {
        int l = i;
        while (l > 0 && y[l - 1] >= 0) l--;
        out[i] = i - l;
    }
}
C
run spans.c --extent 'y: n' --force
ok "timed where it is quick" "[ \$? -le 1 ] && grep -q 'verify_halvings' run/problem.json && [ \"\$(value n)\" = 1000000 ] && grep -q 'verified    largest error' out"

# Loops that are counted right: nothing changes.
cat >scale.c <<'C'
void scale(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }
C
run scale.c --force
ok "counted" "[ \"\$(value n)\" = 1000000 ] && ! grep -q 'no larger' out"

# Powers of two where the C turns back at all others, as nobody said a size.
cat >walsh.c <<'C'
int walsh(int n, int rows, float *x)
{
    int p = 1;
    while (p < n) p = p + p;
    if (p != n) return -1;
    for (int r = 0; r < rows; r++)
        for (int h = 1; h < n; h *= 2)
            for (int i = 0; i < n; i += 2 * h)
                for (int j = i; j < i + h; j++) {
                    float a = x[r * n + j], b = x[r * n + j + h];
                    x[r * n + j] = a + b;
                    x[r * n + j + h] = a - b;
                }
    return 0;
}
C
run walsh.c --extent 'x: rows*n' --size rows=500 --force
n=$(value n)
ok "powers" "[ -n '$n' ] && [ \$(( $n & ($n - 1) )) = 0 ] && ! grep -q 'does hardly anything' out"
run walsh.c --extent 'x: rows*n' --size rows=500 --resume
ok "powers resumed" "[ \$? -le 1 ] && [ \"\$(value n)\" = '$n' ]"
run walsh.c --extent 'x: rows*n' --size rows=500,n=1000 --force
ok "stated powers" "[ \$? = 3 ] && ! grep -q 'a power of two' out err"

# Lists by index: random ones go in circles.
cat >chains.c <<'C'
struct node { unsigned next; float v; };
void chains(int n, const unsigned *head, const struct node *pool, float *sum)
{
    for (int p = 0; p < n; p++) {
        float s = 0;
        for (unsigned k = head[p]; k != 0xffffffffu; k = pool[k].next) s += pool[k].v;
        sum[p] = s;
    }
}
C
run chains.c --extent 'pool: n' --force
ok "lists" "[ \$? = 0 ] && grep -q 'verified    largest error' out"
cat >roots.c <<'C'
void roots(int n, const int *up, int *root)
{
    for (int i = 0; i < n; i++) {
        int r = i;
        while (up[r] != r) r = up[r];
        root[i] = r;
    }
}
C
run roots.c --extent 'up: n' --force
ok "roots" "[ \$? = 0 ] && grep -q 'verified    largest error' out"

# A C that never returns on the inputs that are made: it is given up in time.
cat >circles.c <<'C'
void circles(int n, const int *head, const int *next, float (*out)[3])
{
    for (int p = 0; p < n; p++) {
        int c = 0;
        for (int k = head[p] % n; k != n; k = (next[k] + next[(k + 1) % n]) % n) c++;
        for (int d = 0; d < 3; d++) out[p][d] = c;
    }
}
C
from=$(date +%s)
timeout 120 "$S" circles.c --explain >out 2>err </dev/null
ok "explained in time" "[ \$(( \$(date +%s) - from )) -le $((60 * ${SLOW:-1})) ]"
"$S" circles.c --explain >out 2>err </dev/null & pid=$!
sleep 3; from=$(date +%s); kill -TERM $pid; wait $pid 2>/dev/null
ok "stopped" "[ \$(( \$(date +%s) - from )) -le 2 ]"
exit $bad
