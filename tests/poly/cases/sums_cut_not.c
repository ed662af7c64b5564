// Values that every step cuts or rounds are no sums, and no extremes. want: sequential
#pragma regraph size(n=9000) size(n=7) size(n=300) extent(o: 4) role(o: out)
void sums_cut_not(const int *x, const unsigned char *b, const float *f, int n, unsigned *o)
{
    unsigned s = 900;
    float q = 0;
    int m = 300;
    for (int i = 0; i < n; i++) s = (unsigned char)s + b[i];
    for (int i = 0; i < n; i++) m = (signed char)(m < x[i] ? x[i] : m);
    for (int i = 0; i < n; i++) q = (int)(q + f[i]);
    o[0] = s;
    o[1] = (unsigned)m;
    o[2] = (unsigned)q;
}
