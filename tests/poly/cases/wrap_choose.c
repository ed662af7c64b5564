// want: parallel
// chain: parallelize@C
// Round the edges by a choice whose condition has a table in it.
#pragma regraph size(n=60) size(n=17) size(n=3)
static const int c[3] = {0, 1, -1};
void push(int n, const float x[n], float g[3][n])
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            int t = i + c[k];
            g[k][t < 0 ? t + n : t >= n ? t - n : t] = x[i] * (k + 1);
        }
}
