/* y from the y before it; then the same in a file-scope variable, at every second element */
#pragma regraph size(n=100000) input(a: constant(0.25))
double level;
void smooth(int n, double a, const double x[n], double y[n], double z[n])
{
    y[0] = x[0];
    for (int i = 1; i < n; i++) y[i] = a * x[i] + (1 - a) * y[i - 1];
    for (int i = 0; i < n; i++) z[i] = 0;
    for (int i = 0; i < n; i += 2) {
        level += a * (y[i] - level);
        z[i] = level;
    }
}
