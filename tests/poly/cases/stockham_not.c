// What halves begins elsewhere, or what doubles is tripled: the product of both is no length. want: sequential
// chain: sequential
#pragma regraph size(n=64) size(n=8) size(n=2) extent(y: 4 * n) extent(x: 4 * n) input(x: uniform(-1, 1)) require(1048576 % n == 0)
void rounds(const float *x, float *y, int n)
{
    int l = n / 4, m = 1;
    while (l >= 1) {
        for (int j = 0; j < l; j++)
            for (int k = 0; k < m; k++) {
                y[k + 2 * j * m] += x[k + j * m];
                y[k + 2 * j * m + m] -= y[k + 2 * j * m] * 0.5f;
            }
        l /= 2;
        m *= 2;
        m += l == 1;
    }
}
