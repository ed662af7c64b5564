/* array of two pointers, indexed by parity */
#pragma regraph size(n=500000, steps=20) extent(a: n) extent(b: n)
void parity(int n, int steps, double *a, double *b)
{
    double *u[2] = {a, b};
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            u[(t + 1) % 2][i] = (u[t % 2][i - 1] + u[t % 2][i] + u[t % 2][i + 1]) / 3.0;
}
