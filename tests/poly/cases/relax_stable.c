// Rounds go on until a flag was not lowered, with maxima stored in any case, and goto out of them. want: parallel
// chain: parallelize@C
// shows: atomic
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#pragma regraph size(n=400, m=3000, s=7) size(n=5, m=6, s=0) input(cap: uniform(1, 1000)) extent(width: n)
long long widest(int n, int m, const int *tail, const int *head, const long long *cap, int s, long long *width)
{
    long long sum = 0;
    for (int v = 0; v < n; v++) width[v] = 0;
    width[s] = 1LL << 40;
    for (int round = 0; round < n; round++) {
        int stable = 1;
        for (int e = 0; e < m; e++) {
            long long w = MIN(width[tail[e]], cap[e]);
            if (w > width[head[e]]) stable = 0;
            width[head[e]] = MAX(width[head[e]], w);
        }
        if (stable) goto done;
    }
done:
    for (int v = 0; v < n; v++) sum += width[v];
    return sum;
}
