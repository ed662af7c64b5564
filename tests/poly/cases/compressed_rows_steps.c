// The same in a loop over time, from the last row on, with two numbers for an entry: asked once, in front. want: parallel
// shows: ascends
// chain: parallelize,coalesce
#pragma regraph size(n=50, nnz=400, steps=3) size(n=3, nnz=7, steps=2) input(ptr: prefix(nnz))
#pragma regraph extent(ptr: n + 1) extent(flux: nnz) extent(x: n)
void fluxes(int n, int nnz, int steps, const int *ptr, float flux[][2], float *x)
{
    for (int s = 0; s < steps; s++)
        for (int u = n - 1; u >= 0; u--) {
            float out = 0.0f;
            for (int p = ptr[u]; p < ptr[u + 1]; p++) {
                flux[p][0] = 0.5f * (x[u] + flux[p][1]);
                flux[p][1] = flux[p][0] * 0.25f;
                out += flux[p][0];
            }
            x[u] -= 0.1f * out;
        }
}
