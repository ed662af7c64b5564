// Logarithms of powers of two are exact where they become integers. want: parallel
#include <math.h>
#pragma regraph size(n=16) size(n=7)
void integer_log2(int n, int *bits)
{
    for (int i = 0; i < n * n; i++) {
        double power = ldexp(1.0, i % 60);
        bits[i] = (int)log2(power) + 100 * (int)floor(log2((double)(1ll << i % 52))) + (int)log2f((float)(1 << i % 24));
    }
}
