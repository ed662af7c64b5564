// An extreme and its place, which the first mark ends, beside sums over all: the mark is asked for in either arm. want: parallel
// chain: reduce.block
// shows: taker
#pragma regraph size(n=30000) size(n=1) size(n=70) extent(x: n) extent(y: n) extent(best: 2)
#pragma regraph input(x: uniform(0, 20000)) input(y: uniform(-3, 900))
long settled_extreme(int n, const int *x, const int *y, int *best)
{
    int seen = 0, closed = best[1] > 3, top = -1, at = -1, count = 0, last = -1;
    long sum = 0, until = 0;
    for (int i = 0; i < n; i++) {
        int v = x[i] - i % 7;
        sum += v;
        if (seen) continue;
        if (v == 5) {
            seen = 1;
            at = i;
            top = v * 2;
        } else if (v > top) {
            top = v;
            at = i;
        }
    }
    for (int i = n - 1; i >= 0; i--)
        if (closed == 0) {
            if (y[i] >= 0) {
                count++;
                until += y[i];
            } else {
                closed = 1;
                last = i;
            }
        }
    best[0] = top;
    best[1] = at;
    return sum + until + count + 3 * last + seen;
}
