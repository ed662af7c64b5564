// A sum and scattered updates in one loop (finite elements): the sum by the grid, the updates by atomics. want: parallel
// chain: reduce.block@loop:e,reduce.warp
// shows: atomicAdd\(&res\[a\[e\]\], d\)
#pragma regraph size(m=3000,n=500) size(m=77,n=13)
double scatter_energy(int m, int n, const int a[m], const int b[m], const double w[m], const double x[n], double res[n]) {
    double energy = 0;
    for (int e = 0; e < m; e++) {
        double d = w[e] * (x[a[e]] - x[b[e]]);
        energy += d * d;
        res[a[e]] += d;
        res[b[e]] -= d;
    }
    return energy;
}
