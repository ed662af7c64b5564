// want: parallel
// chain: parallelize
// lacks: for \(int k = 0; k < n && go_on_mem
/* A launch for each pass of four loops would be too many: the bound of a loop that ends by a condition on counters says how many. */
#pragma regraph size(n=33) size(n=8) size(n=3)
void many_flags(int n, float a[n][n], float w[n], const float d[n])
{
    for (int t = 0; t < 6; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < n && k <= j; k++) {
                    w[k] = 0.5f * w[n - 1 - k] + 0.1f * a[j][i];
                    if (w[k] > d[j]) {
                        for (int m = 0; m < n; m++) a[k][m] = 0.5f * a[k][m] + 0.1f * w[k];
                    }
                }
}
