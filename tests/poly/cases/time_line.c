// One dimension, radius 2 on one side and 1 on the other, the borders computed besides; a loop that runs down. want: parallel
// chain: time.tile@loop:t
// shows: time.tile: [0-9]+ iterations of loop t
#pragma regraph size(T=40, n=3001) size(T=7, n=64) size(T=3, n=5)
void time_line(int T, int n, double a[n], double b[n], const double s[T])
{
    for (int t = 0; t < T; t++) {
        for (int i = n - 2; i >= 2; i--) b[i] = 0.5 * a[i] + 0.2 * a[i - 2] + 0.2 * a[i + 1] + 0.1 * a[i - 1];
        b[0] = s[t];
        b[n - 1] = b[n - 2];
        a[0] = b[0];
        for (int i = 2; i < n; i++) a[i] = b[i];
    }
}
