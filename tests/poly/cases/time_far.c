// Around a ring: what the first point reads lies at the other end. want: parallel
// refused: parallelize,time.tile@loop:t : at no constant distance
#pragma regraph size(T=6, n=600) size(T=2, n=9)
void time_far(int T, int n, double a[n], double b[n])
{
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++) b[i] = 0.25 * (a[i - 1] + 2 * a[i] + a[i + 1]);
        for (int i = 0; i < 1; i++) b[i] = 0.5 * (a[n - 1] + a[1]);
        for (int i = 0; i < n - 1; i++) a[i] = b[i];
    }
}
