// What the extreme is of has a part that the better arm keeps: products and sums round alike in both loops. want: parallel
// chain: reduce.block@loop:i
// shows: __fmul_rn
#pragma regraph size(n=4000) size(n=1) size(n=2) size(n=37) extent(x: n) extent(y: n) extent(m: 3)                     \
    input(x: uniform(0, 3)) input(y: uniform(0, 3))
void nearest_and_ties(const float *x, const float *y, int n, float *m)
{
    float best = 1e30f, part = 0;
    int same = 0;
    for (int i = 0; i < n; i++) {
        float q = x[i] * x[i], d = q + y[i] * y[i];
        if (d < best) {
            best = d;
            same = 1;
            part = q;
        } else if (d == best)
            same++;
    }
    m[0] = best;
    m[1] = same;
    m[2] = part;
}
