/* Functions that call themselves, and each other. */
// function: poly
// not: recursive
static double legendre(int n, double x)
{
    if (n == 0) return 1.0;
    if (n == 1) return x;
    return ((2 * n - 1) * x * legendre(n - 1, x) - (n - 1) * legendre(n - 2, x)) / n;
}
static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
static unsigned ackish(unsigned m, unsigned n) { return m == 0 ? n + 1 : n == 0 ? ackish(m - 1, 1) : ackish(m - 1, ackish(m, n - 1)); }
static int even(int n); 
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
#pragma regraph size(n=200)
void poly(int n, const double x[n], const int k[n], double out[n], int g[n])
{
    for (int i = 0; i < n; i++) {
        out[i] = legendre(k[i] % 7, x[i]) + (double)ackish(k[i] % 3, k[i] % 4);
        g[i] = gcd(k[i] + 1, 12) + even(k[i] % 9);
    }
}
