// rows through flat pointers, ends one past, pointers into the middle
#pragma regraph size(n=40, m=30)
void flat(int n, int m, const float A[n][m], float B[n][m])
{
    const float *p = &A[0][0], *end = &A[0][0] + n * m;
    float *q = &B[0][0];
    while (p != end) *q++ = 2 * *p++;
    float *last = &B[n - 1][m - 1];
    last[0] += 1;
    if (m > 1) last[-1] += 1;
}
