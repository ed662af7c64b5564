// Offsets stepped by differences that come round in fewer bits than they have, are no closed forms of sizes. want: parallel
#pragma regraph size(n=600) size(n=1) size(n=2) size(n=70) extent(x: n) extent(out: 4*n+4)
void closed_forms_round_not(const int *x, unsigned n, long *out)
{
    long a = 3, b = 3, c = 3, d = 1;
    for (unsigned i = 0; i < n; i++) {
        a += 1 - n;
        out[4 * i] = a;
        if (x[i] > 50)
            b += 0u - n;
        else
            b += -n;
        out[4 * i + 1] = b;
        long end = c + (5 - n);
        out[4 * i + 2] = c + x[i];
        c = end;
        out[4 * i + 3] = d;
        d -= n;
    }
    out[4 * n] = a + b + c + d;
}
