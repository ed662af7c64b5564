#pragma regraph size(n=5000)
void walk(const float *a, const float *b, float *c, int n)
{
    while (n--)
        *c++ = *a++ * *b++;
}
// not: opaque parts
// explain: c                out    float[n]
