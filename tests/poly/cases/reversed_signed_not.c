// Quotients and remainders of numbers that may be negative are no shifts and no bits. want: parallel
// lacks: rg_mirrored
#pragma regraph size(n=1000,bits=10) size(n=8,bits=3) extent(y: n) extent(x: n) input(x: uniform(-500, 500))
static int rev(int v, int bits)
{
    int r = 0;
    for (int k = 0; k < bits; k++) { r = r * 2 + v % 2; v /= 2; }
    return r;
}
void halved_signed(int n, int bits, const int *x, int *y)
{
    for (int i = 0; i < n; i++) y[i] = rev(x[i], bits);
}
