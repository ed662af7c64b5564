// Bits reversed by quotients and remainders of a counter, which is never negative. want: parallel
// shows: rg_mirrored
#pragma regraph size(n=1024,bits=10) size(n=8,bits=3) extent(y: n)
static int rev(int v, int bits)
{
    int r = 0;
    while (bits-- > 0) { r = r * 2 + v % 2; v /= 2; }
    return r;
}
void reversed_quotients(int n, int bits, int *y)
{
    for (int i = 0; i < n; i++) y[i] = rev(i, bits);
}
