#include <math.h>
#include <stdio.h>

typedef double (*func)(double, double);

static double gaussian(double x, double s) { return exp(-x * x / (2 * s * s)); }
static double damped(double x, double s) { return sin(x) * exp(-fabs(x) / s); }

static double simpson(func f, double a, double b, double s, int n)
{
    double h = (b - a) / n, sum = f(a, s) + f(b, s);
    for (int i = 1; i < n; i++) sum += (i % 2 ? 4.0 : 2.0) * f(a + i * h, s);
    return sum * h / 3.0;
}

void integrate_all(const double *sigma, double *out_g, double *out_d, int n, int intervals)
{
    for (int i = 0; i < n; i++) {
        out_g[i] = simpson(gaussian, -5.0, 5.0, sigma[i] * sigma[i] + 0.1, intervals);
        out_d[i] = simpson(&damped, 0.0, 10.0, sigma[i] * sigma[i] + 0.1, intervals);
    }
}

int main(void)
{
    double s[4] = { 0.5, 1, 1.5, 2 }, g[4], d[4];
    integrate_all(s, g, d, 4, 1000);
    for (int i = 0; i < 4; i++) printf("%g %g\n", g[i], d[i]);
    return 0;
}
