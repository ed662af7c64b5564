/* Transform of structures that sorts even and odd places out to scratch which it is given; the calls' scratch is what it
 * has sorted out. */
#include <math.h>
#include <stdlib.h>

typedef struct {
    float re, im;
} wave;

static void with_spare(wave *v, int n, wave *spare)
{
    if (n > 1) {
        int k, m;
        wave z, w, *odd, *even;
        even = spare;
        odd = spare + n / 2;
        for (k = 0; k < n / 2; k++) {
            even[k] = v[2 * k];
            odd[k] = v[2 * k + 1];
        }
        with_spare(even, n / 2, v);
        with_spare(odd, n / 2, v);
        for (m = 0; m < n / 2; m++) {
            w.re = cos(2 * M_PI * m / (double)n);
            w.im = -sin(2 * M_PI * m / (double)n);
            z.re = w.re * odd[m].re - w.im * odd[m].im;
            z.im = w.re * odd[m].im + w.im * odd[m].re;
            v[m].re = even[m].re + z.re;
            v[m].im = even[m].im + z.im;
            v[m + n / 2].re = even[m].re - z.re;
            v[m + n / 2].im = even[m].im - z.im;
        }
    }
    return;
}

void transform(wave *v, int n)
{
    wave *spare = malloc(n * sizeof *spare);
    with_spare(v, n, spare);
    free(spare);
}
