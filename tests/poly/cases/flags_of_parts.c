// want: parallel
/* The parts that a loop is split into have one counter: what the second stores of it is not one value throughout. */
void flags_of_parts(int n, const double *restrict c, double *restrict b, double *restrict a)
{
#pragma regraph size(n=32) size(n=7) extent(c: n) extent(b: n) extent(a: n)
    for (int i = 0; i < n; i++) {
        b[i] = 2 * c[i];
        for (int j = 0; j < i; j++) a[(i + j) / 2] = 0.25 * i;
    }
}
