// A scalar that a guarded kernel perhaps writes and another one reads. want: parallel
#pragma regraph size(n=2000, T=4) size(n=37, T=3)
void ifkeep(int n, int T, const float x[n], const int flag[T], float y[n], float last[T])
{
    float s = 3;
    for (int t = 0; t < T; t++) {
        if (flag[t] % 2) {
            s = x[t] * 2;
            for (int i = 0; i < n; i++) y[i] = 0.5f * y[i] + x[i];
        }
        last[t] = s;
        for (int i = 0; i < n; i++) y[i] += s;
    }
}
