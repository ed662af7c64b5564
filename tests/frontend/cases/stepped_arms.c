/* What an arm of ?: steps, sets or counts is done where the arm is taken, and the value has the type that both have. */
#include <stdint.h>
#pragma regraph size(n=700)
#pragma regraph input(a: uniform(-9, 9)) input(out: constant(0))
void taken(int n, const int *restrict a, int *restrict out, int *restrict count)
{
    int have = 0, left = n, seen = 0;
    unsigned char small = 250;
    for (int i = 0; i < n; i++) {
        int pos = a[i] > 2 ? have++ : -1;
        int x;
        x = a[i] > 0 ? --left : seen++;
        long y = seen < 40 ? seen++ : seen - 1;
        double mean = a[i] > 5 ? small++ : a[i] < -5 ? 0.5 : --small;
        unsigned z = a[i] & 1 ? -1 : small++;
        int w = seen++ > 60 ? left-- : seen;
        out[i] = pos + 3 * x + 5 * (int)y + (int)(8 * mean) + (int)(z % 1000) + w;
        out[i] += a[i] > 4 ? have++ : 2;
    }
    count[0] = have + left;
    count[1] = seen + small;
}
// explain: int pos = taken
// not: opaque parts
