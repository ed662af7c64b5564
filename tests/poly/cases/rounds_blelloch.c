// Prefix sums up and down a tree: one loop whose stride doubles, pairs inside it. want: parallel
// chain: parallelize@C
// shows: e \^ d
#pragma regraph size(n=1024) size(n=8) size(n=2)
void blelloch(int *x, int n)
{
    for (int d = 1; d < n; d *= 2)
        for (int k = 0; k < n; k += 2 * d) x[k + 2 * d - 1] += x[k + d - 1];
    x[n - 1] = 0;
    for (int d = n / 2; d >= 1; d /= 2)
        for (int k = 0; k < n; k += 2 * d) {
            int t = x[k + d - 1];
            x[k + d - 1] = x[k + 2 * d - 1];
            x[k + 2 * d - 1] += t;
        }
}
