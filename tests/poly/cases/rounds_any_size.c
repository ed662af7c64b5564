// It stays inside for any length: no power of two is asked for, and the sizes stand. want: sequential
#pragma regraph size(n=77) size(n=64) size(n=3) extent(x: n)
void guarded(unsigned *x, int n)
{
    for (int h = 1; h < n; h *= 2)
        for (int i = 0; i < n; i += 2 * h)
            for (int j = 0; j < h; j++)
                if (i + j + h < n) {
                    unsigned p = x[i + j], q = x[i + j + h];
                    x[i + j] = p + q;
                    x[i + j + h] = p - q;
                }
}
