// Three bytes are taken and four are left, as long as there are three; what is left over hangs on how many. want: parallel
#pragma regraph size(n=60000) size(n=1) size(n=3) size(n=701) extent(out: 4*((n+2)/3)+1) role(out: out) input(in: uniform(0, 255))
unsigned long counted_thirds(const unsigned char *in, unsigned long n, unsigned char *out)
{
    static const char code[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char *o = out;
    while (n >= 3) {
        *o++ = code[in[0] >> 2];
        *o++ = code[(in[0] & 3) << 4 | in[1] >> 4];
        *o++ = code[(in[1] & 15) << 2 | in[2] >> 6];
        *o++ = code[in[2] & 63];
        in += 3;
        n -= 3;
    }
    if (n) {
        *o++ = code[in[0] >> 2];
        *o++ = n == 1 ? code[(in[0] & 3) << 4] : code[(in[0] & 3) << 4 | in[1] >> 4];
        if (n == 1)
            *o++ = '=';
        else
            *o++ = code[(in[1] & 15) << 2];
        *o++ = '=';
    }
    *o = 0;
    return o - out;
}
