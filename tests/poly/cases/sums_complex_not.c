// A complex number that each iteration turns further, and one whose size is asked for on the way. want: sequential
#include <complex.h>
#pragma regraph size(n=700) size(n=1) size(n=31) input(x: uniform(-1, 1))
double turned(const double *x, int n)
{
    double complex z = 1, sum = 0;
    int steps = 0;
    for (int i = 0; i < n; i++) {
        z = z * cexp(I * x[i]) / (1 + cabs(z) / 2) + 0.25;
        sum += z;
        if (cabs(sum) > 10) sum = 0, steps++;
    }
    return creal(sum) + steps;
}
