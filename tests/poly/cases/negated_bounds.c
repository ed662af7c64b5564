// What a falling loop's end gives is taken from, and a wavefront turns the loop round. want: parallel
// chain: wavefront@loop:t
#pragma regraph size(n=17) size(n=1) size(n=8)
#pragma regraph input(k: uniform(0, 5))
double negated_bounds(int n, double b[n + 16][n + 16], const double d[n + 16], int k[n + 16])
{
    for (int t = n - 1; t >= 0; t--) {
        for (int i = 0; i < t; i++) {
            for (int j = t > 3 ? t - 3 : 0; j < n; j++)
                for (int l = 0; l < n; l++) {
                    if (k[n - 1 - i + 4] > 1) {
                        double w[n + 6];
                        for (int m = 0; m < n + 6; m++) w[m] = 0.01 * i + 0.1 * d[m + 2];
                    }
                    if (l + 2 <= n) b[i % 4 + 4][j + 4] += 0.05 * d[j + 6];
                }
            b[i + 4][6] += 0.05 * b[i + 4][t + 5];
        }
    }
    return b[4][4];
}
