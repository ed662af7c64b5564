// Sizes that conditions clamp stay sizes. want: parallel
// chain: parallelize
// shows: __global__
// lacks: one thread
#pragma regraph extent(a: n) extent(b: n) input(a: uniform(0, 1)) require(n >= 8)
#pragma regraph size(n=5000,steps=9,most=6,from=1,last=4000) size(n=33,steps=2,most=5,from=4,last=50) size(n=70,steps=9,most=1,from=1,last=69)
void relax(int n, int steps, int most, int from, int last, float *restrict a, float *restrict b)
{
    if (steps > most) steps = most;
    else if (steps < 1)
        steps = 1;
    if (from < 2) from = 2;
    if (last > n - 2 || last < from) {
        last = n - 2;
        if (most == 1) steps = 1;
    }
    for (int t = 0; t < steps; t++) {
        for (int i = from; i <= last; i++) b[i] = 0.25f * (a[i - 1] + 2 * a[i] + a[i + 1]);
        for (int i = from; i <= last; i++) a[i] = b[i];
    }
}
