// The first row writes all, later ones a part: what is read beyond it an earlier row wrote; the rows stay in order. want: parallel
#pragma regraph size(B=40, T=30) size(B=5, T=7) input(at: uniform(0, T - 1)) extent(x: B*T)
#include <stdlib.h>
void walk(int B, int T, const int at[B], const int *x, int *y)
{
    int *from = malloc(T * sizeof *from);
    for (int b = 0; b < B; b++) {
        int end = b == 0 ? T : T / 2;
        for (int t = 0; t < end; t++) from[t] = x[b * T + t] & 3;
        y[b] = from[at[b]];
    }
    free(from);
}
