/* Fast Walsh-Hadamard transform that sums and subtracts first, and then calls itself for both halves. */
void walsh(float *a, unsigned n)
{
    if (n < 2) return;
    unsigned h = n >> 1;
    for (unsigned i = 0; i < h; ++i) {
        float u = a[i], v = a[i + h];
        a[i] = u + v;
        a[i + h] = u - v;
    }
    walsh(a, h);
    walsh(a + h, h);
}
