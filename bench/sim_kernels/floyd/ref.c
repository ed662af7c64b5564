/* shortest distances between all pairs of n nodes */
void ref_floyd(int n, const float *w, float *d)
{
    for (int i = 0; i < n * n; i++) d[i] = i / n == i % n ? 0 : w[i];
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (d[i * n + k] + d[k * n + j] < d[i * n + j]) d[i * n + j] = d[i * n + k] + d[k * n + j];
}
