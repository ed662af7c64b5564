/* heat in two buffers, local pointers, result copied when it ended in the wrong one */
#include <string.h>
#pragma regraph size(n=1000, steps=20) extent(u: n, n) extent(v: n, n)
void heat(int n, int steps, double *u, double *v)
{
    double *a = u, *b = v;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
        double *tmp = a;
        a = b;
        b = tmp;
    }
    if (a != u) memcpy(u, a, (size_t)n * n * sizeof(double));
}
