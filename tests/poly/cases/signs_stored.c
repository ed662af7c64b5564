// Bytes that are changed through a pointer to such without their sign, and asked for with and without it. want: parallel
#pragma regraph size(n=60000) size(n=1) size(n=700) input(s: uniform(-128, 127)) role(above: out)
void signs_stored(char *s, int n, short *above)
{
    unsigned char *p = (unsigned char *)s;
    for (int i = 0; i < n; i++) {
        above[i] = (short)(p[i] + 2 * s[i]);
        p[i] += 200;
        p[i] ^= 0x11;
        p[i]++;
        *(p + i) = (unsigned char)(p[i] > 128 ? p[i] / 3 : 255 - p[i]);
    }
}
