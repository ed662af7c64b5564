// Not the first alone: the store leaves the test true, the loop asks for the place, data lead what is asked. want: parallel
// lacks: int taker
// chain: parallelize
#pragma regraph size(n=3000) size(n=1) size(n=70) extent(x: n) extent(to: n + 1) extent(out: 4)
#pragma regraph input(x: uniform(-9, 9)) input(to: uniform(0, n - 1))
void first_takers_not(int n, const int *x, const int *to, int *out)
{
    int a = -1, b = -1, c = -1, s = 0;
    signed char d = -1;
    for (int i = 0; i < n; i++) {
        if (a < 0 && x[i] > 2) a = i - 20;
        if (x[i] > 4 && b < 0) b = i;
        if (b >= 0) s += x[i];
        if (c < 0 && x[to[i]] > 6) c = i;
        if (d < 0 && x[i] == 5) d = (signed char)i;
    }
    out[0] = a;
    out[1] = b + s;
    out[2] = c;
    out[3] = d;
    for (int i = 0; i < n && i < 3; i++) out[i] += 2;
}
