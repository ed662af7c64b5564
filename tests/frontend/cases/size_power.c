// no round number is a power of two: the size that is proposed is one, as large as the work allows
// explain: n=1048576, as nobody said what to time (--size n=1048576)
void sums(double *x, int n)
{
    for (int len = 2; len <= n; len <<= 1)
        for (int i = 0; i < n; i += len)
            for (int k = 0; k < len / 2; k++) {
                double u = x[i + k], v = x[i + k + len / 2];
                x[i + k] = u + v;
                x[i + k + len / 2] = u - v;
            }
}
