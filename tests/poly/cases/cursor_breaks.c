// A cursor that goes on by several characters, or one or two, an iteration: how long the text may become is seen. want: parallel
#pragma regraph size(n=30000) size(n=77) size(n=19) size(n=2) size(n=1) extent(in: 3*n)
unsigned long cursor_breaks(unsigned long n, const unsigned char *in, char *out, char *lines)
{
    char *o = out;
    unsigned column = 0;
    for (unsigned long i = 0; i < n; i++) {
        unsigned v = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
        *o++ = 65 + (v >> 18);
        *o++ = 65 + (v >> 12 & 63);
        *o++ = 65 + (v >> 6 & 63);
        *o++ = 65 + (v & 63);
        if ((column += 4) == 76) {
            *o++ = 13;
            *o++ = 10;
            column = 0;
        }
    }
    unsigned long k = 0;
    for (unsigned long i = 0; i < n; i++) {
        lines[k++] = in[i];
        if (in[i] == 10) lines[k++] = 13;
    }
    return (o - out) * 1000 + k;
}
