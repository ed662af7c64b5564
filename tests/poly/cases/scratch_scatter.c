// A local array of a size known only at run time, in a loop that scatters and adds up at once: no block shares that loop. want: parallel
// refused: parallelize@C,reduce.block@loop:j : every thread of a block would need its own part of a buffer for w
void scratch_scatter(int n, const double A[n + 2][n + 2], const double d[n + 2], double B[n + 2][n + 2], double x[n + 2])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double w[n + 2];
            for (int k = 0; k < n + 2; k++) w[k] = 0.3 * d[j + 1] + 0.1 * d[k];
            if (d[i] > d[j + 1])
                for (int k = 0; k < n; k++) {
                    B[k][i] += 0.05 * A[k][j] * w[k];
                    x[i] += 0.0005 * w[k + 1];
                }
        }
}
