// Values of a compressed matrix that each row divides by its sum: ptr is asked in front whether it ascends. want: parallel
// chain: parallelize@C
// shows: ascends
#pragma regraph size(n=50, nnz=400) size(n=3, nnz=7) input(ptr: prefix(nnz))
#pragma regraph extent(ptr: n + 1) extent(val: nnz) extent(w: nnz) extent(big: n)
void normalise(int n, int nnz, const int *ptr, float *val, const float *w, float *big)
{
    for (int u = 0; u < n; u++) {
        const int from = ptr[u], to = ptr[u + 1];
        float most = 0.0f, sum = 0.0f;
        for (int p = from; p < to; p++)
            most = val[p] > most ? val[p] : most;
        for (int p = from; p < to; p++) {
            val[p] = val[p] * w[p] - most;
            sum += val[p] * val[p];
        }
        for (int p = from; p < to; p++)
            val[p] /= 1.0f + sum;
        big[u] = most;
    }
}
