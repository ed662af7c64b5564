/* Transform that calls itself for the even and the odd places, between two arrays that swap at each level. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef double complex sample;

static void between(sample *to, sample *from, int n, int apart)
{
    if (apart >= n) return;
    between(from, to, n, apart * 2);
    between(from + apart, to + apart, n, apart * 2);
    for (int at = 0; at < n; at += 2 * apart) {
        sample turned = cexp(-I * M_PI * at / n) * from[at + apart];
        to[at / 2] = from[at] + turned;
        to[(at + n) / 2] = from[at] - turned;
    }
}

void transform(sample *signal, int n)
{
    sample *other = malloc(n * sizeof *other);
    for (int i = 0; i < n; i++) other[i] = signal[i];
    between(signal, other, n, 1);
    free(other);
}

int main(void)
{
    enum { N = 64 };
    static sample x[N];
    for (int i = 0; i < N; i++) x[i] = i % 5;
    transform(x, N);
    printf("%g %g\n", creal(x[1]), cimag(x[1]));
    return 0;
}
