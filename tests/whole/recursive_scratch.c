/* Transform in place that calls itself for even and odd places, which it has copied to memory of its own. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

void spectrum(double complex *x, int N)
{
    if (N <= 1) return;
    double complex *even = malloc(N / 2 * sizeof(double complex));
    double complex *odd = malloc(N / 2 * sizeof(double complex));
    if (!even || !odd) exit(1);
    for (int i = 0; i < N / 2; i++) {
        even[i] = x[2 * i];
        odd[i] = x[2 * i + 1];
    }
    spectrum(even, N / 2);
    spectrum(odd, N / 2);
    for (int k = 0; k < N / 2; k++) {
        double complex t = cexp(-2.0 * I * M_PI * k / N) * odd[k];
        x[k] = even[k] + t;
        x[k + N / 2] = even[k] - t;
    }
    free(even);
    free(odd);
}
