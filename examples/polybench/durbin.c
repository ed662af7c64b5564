/* Levinson-Durbin: the Toeplitz system with right side -r */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
static void coefficients(int n, real r[n])
{
    for (int i = 0; i < n; i++) r[i] = (real)0.4 / (i + 1);
}
#pragma regraph init(coefficients)
#pragma regraph size(n=97) size(n=23) size(n=1)
void kernel_durbin(int n, const real r[n], real y[n])
{
    real z[n];
    y[0] = -r[0];
    real beta = 1, alpha = -r[0];
    for (int k = 1; k < n; k++) {
        beta = (1 - alpha * alpha) * beta;
        real sum = 0;
        for (int i = 0; i < k; i++) sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
        for (int i = 0; i < k; i++) z[i] = y[i] + alpha * y[k - i - 1];
        for (int i = 0; i < k; i++) y[i] = z[i];
        y[k] = alpha;
    }
}
