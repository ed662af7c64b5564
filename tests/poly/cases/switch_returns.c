// A helper that returns out of a switch behind other statements: the cases behind are reached. want: parallel
enum mode { ZERO, CLAMP, WRAP, MIRROR };
static float at(const float *s, long n, long i, enum mode mode)
{
    if (i >= 0 && i < n) return s[i];
    switch (mode) {
    case CLAMP:
        return i < 0 ? s[0] : s[n - 1];
    case WRAP:
        i %= n;
        if (i < 0) i += n;
        return s[i];
    case MIRROR:
        while (i < 0 || i >= n) i = i < 0 ? -i - 1 : 2 * n - 1 - i;
        return s[i];
    case ZERO:
    default:
        break;
    }
    return 0.0f;
}
#pragma regraph size(n=200,radius=3,mode=3) size(n=9,radius=2,mode=0) size(n=9,radius=11,mode=1) size(n=9,radius=5,mode=2)
void switch_returns(const float *in, float *out, long n, const float *taps, int radius, enum mode mode)
{
    for (long i = 0; i < n; i++) {
        double acc = 0.0;
        for (int k = 0; k <= 2 * radius; k++) acc += (double)taps[k] * at(in, n, i + radius - k, mode);
        out[i] = (float)acc;
    }
}
