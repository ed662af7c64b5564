// A condition on data around whole nests, outside every parallel loop. want: parallel
#pragma regraph size(n=2000, T=4) size(n=37, T=3)
void ifhost(int n, int T, const float x[n], const int flag[T], float y[n], float z[n])
{
    for (int t = 0; t < T; t++) {
        if (flag[t] % 2) {
            for (int i = 0; i < n; i++) y[i] = 0.5f * y[i] + x[i];
            for (int i = 1; i < n; i++) z[i] += y[i - 1];
        } else {
            for (int i = 0; i < n; i++) z[i] *= 0.5f;
        }
    }
}
