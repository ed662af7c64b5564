// Void pointers that are kept as such, chosen and handed on to a helper that knows what they lead to. want: parallel
#include <stddef.h>
#pragma regraph size(n=300,m=200) size(n=1,m=1) size(n=7,m=12)
static int dot(const void *a, const void *b, int n)
{
    const short *x = a, *y = b;
    int s = 0;
    for (int i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}

void rows(const void *a, const void *b, int n, int m, int *out)
{
    const void *p = a;
    const void *q;
    if (!a || b == NULL) return;
    q = b;
    for (int i = 0; i < m; i++) out[i] = dot((const short *)p + i * n, q, n);
}
