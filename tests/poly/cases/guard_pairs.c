// want: parallel
// chain: parallelize
// shows: if \(taken
/* Of i and i ^ j one acts on both, as spelt in other ways: unsigned, the lower one by continue, rows of pairs, a butterfly. */
#pragma regraph size(n=512,m=6) size(n=64,m=3) require(65536 % n == 0)
void guard_pairs(unsigned n, int m, int *a, float re[m][n], const float w[n])
{
    for (unsigned j = n / 2; j > 0; j >>= 1) {
        for (unsigned i = 0; i < n; i++) {
            unsigned l = i ^ j;
            if (l <= i) continue;
            int t = a[i] < a[l] ? a[i] : a[l];
            a[l] = a[i] + a[l] - t;
            a[i] = t;
        }
        for (int r = 0; r < m; r++)
            for (unsigned i = 0; i < n; i++)
                if (i < (i ^ j)) {
                    float u = re[r][i], v = re[r][i ^ j] * w[i];
                    re[r][i] = 0.5f * (u + v);
                    re[r][i ^ j] = 0.5f * (u - v);
                }
    }
}
