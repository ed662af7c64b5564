// Parameters that go along rows and, where data say so, change places: the function as it stands is the kernel. want: sequential
#pragma regraph size(n=300) size(n=1) size(n=37) extent(a: 2 * n) extent(b: 2 * n)
void parameter_along_rows_not(long n, float (*a)[16], float (*b)[16])
{
    for (long k = 0; k < n; k++) {
        float *out = *b++, *in = *a;
        for (int i = 0; i < 16; i++) *out++ = in[i] * 2.0f + 1.0f;
        if (in[0] > 0.5f) {
            float(*t)[16] = a;
            a = b;
            b = t;
        }
    }
}
