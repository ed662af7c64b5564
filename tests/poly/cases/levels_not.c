// The length is set between two loops that go by it: what the second reads is not where the first wrote. want: sequential
#pragma regraph size(n=3000, levels=3) size(n=40, levels=2) size(n=17, levels=1)
void levels_not(int n, int levels, int x[2 * n])
{
    int m = n;
    for (int l = 0; l < levels; l++) {
        for (int i = 0; i < m; i++) {
            x[i + 1] = x[i] + m;
            x[m + i] = x[i + m - 1] ^ i;
        }
        m = m / 2;
    }
}
