// A local array of a size known only at run time, where elements are scattered into: no block has copies of them. want: parallel
void scratch_bins(int n, const double *d, double *x)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double w[n + 6];
            for (int k = 0; k < n + 6; k++) w[k] = 0.2 * d[i] + 0.1 * k;
            x[j] += w[n / 2] + w[j];
        }
}
