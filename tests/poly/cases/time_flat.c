// Flat arrays of a 5-point stencil, which end before their last row does: no iteration touches its last element. want: parallel
// chain: time.tile@loop:t
// shows: < end
#pragma regraph size(n=300, steps=20) size(n=37, steps=4) size(n=3, steps=2)
void time_flat(int n, int steps, float *a, float *b)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = 0.2f * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) a[i * n + j] = b[i * n + j];
    }
}
