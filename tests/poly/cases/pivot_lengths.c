// Lengths of paths in reals, with the next hop of each: inputs below 0 would go round in circles for ever. want: parallel
// chain: parallelize@C
// shows: i != k && j != k
#pragma regraph size(n=60) size(n=7) size(n=1)
void shortest(int n, const double *w, double *d, int *hop)
{
    for (int i = 0; i < n * n; i++) {
        d[i] = w[i];
        hop[i] = i % n;
    }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            const double first = d[i * n + k];
            for (int j = 0; j < n; j++) {
                const double by = first + d[k * n + j];
                if (by < d[i * n + j]) {
                    d[i * n + j] = by;
                    hop[i * n + j] = hop[i * n + k];
                }
            }
        }
}
