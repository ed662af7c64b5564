// want: sequential
/* A pointer goes along all rows and over their ends: each element follows from the one before, also where that is the
 * last of another row, and what is written so is what the subscripts by rows read. */
#pragma regraph size(n=30) size(n=7)
#include <math.h>
void along(int n, float a[n][32])
{
    float *p = &a[0][0];
    for (int k = 1; k < n * 32; k++) p[k] = sinf(p[k - 1]) + a[k / 32][k % 32];
}
