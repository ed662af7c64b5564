// Every other point of a ring, then those between. want: parallel
#pragma regraph size(n=20000, T=5) size(n=10, T=3)
void evenodd_ring(int n, int T, float *a)
{
    for (int t = 0; t < T; t++)
        for (int p = 0; p < 2; p++)
            for (int i = p; i < n; i += 2) a[i] = 0.5f * a[i] + 0.25f * (a[(i + 1) % n] + a[i == 0 ? n - 1 : i - 1]);
}
