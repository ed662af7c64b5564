// Prefix sums, each round from twice as far. want: parallel
// chain: parallelize@C
// shows: a\[i - d\]
#pragma regraph size(n=1024) size(n=1000)
void hillis(const int *in, int *a, int *b, int n)
{
    for (int i = 0; i < n; i++) a[i] = in[i];
    for (int d = 1; d < n; d <<= 1) {
        for (int i = 0; i < n; i++) b[i] = i >= d ? a[i] + a[i - d] : a[i];
        for (int i = 0; i < n; i++) a[i] = b[i];
    }
}
