// What sets the flag depends on the extreme so far, or what comes behind asks for the extreme in the iteration. want: parallel
// chain: sequential@C
// lacks: taker
#pragma regraph size(n=3000) size(n=1) size(n=70) extent(x: n) extent(y: n) extent(best: 2)
#pragma regraph input(x: uniform(0, 20000)) input(y: uniform(-3, 900))
void settled_extreme_not(int n, const int *x, int *y, int *best)
{
    int seen = 0, top = -1, other = 0, ended = 0;
    for (int i = 0; i < n; i++)
        if (!seen) {
            if (x[i] == top) seen = 1;
            else if (x[i] > top) top = x[i];
        }
    for (int i = 0; i < n; i++) {
        if (!ended) {
            if (x[i] == 5) {
                ended = 1;
                other = -i;
            } else if (x[i] > other) other = x[i];
        }
        y[i] = other;
    }
    best[0] = top;
    best[1] = seen;
}
