// A local void pointer to what has a type, converted to two types. want: sequential
#pragma regraph size(n=300) size(n=2) size(n=17)
#pragma regraph extent(x: n) extent(z: n) extent(o: n)
void void_two_views(int n, const float *x, const float *z, float *o)
{
    const void *p = n > 3 ? x : z;
    const unsigned char *bytes = p;
    const float *values = p;
    for (int i = 0; i < n; i++) o[i] = values[i] + (float)(bytes[4 * i + 3] >> 7);
}
