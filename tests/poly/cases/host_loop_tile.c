// want: parallel
// chain: parallelize@C,tile.shared@Y
/* The short loop around stays on the host: its index says which element a tile begins with, and is no place in the tile. */
#pragma regraph size(n=5003)
void rows(int n, const double *Y, const double *D, double *A)
{
    for (int i = 0; i < 4; i++) {
        double w[n];
        for (int k = 0; k < n; k++) w[k] = 0.2 * Y[i + 4] + 0.1 * D[k];
        for (int k = 1; k < n; k++) A[k] += w[k - 1] * w[n - k];
    }
}
