/* Assignments and steps inside conditions. */
#pragma regraph size(n=37) extent(x: n) extent(out: n)
void steps(int n, const unsigned char *x, int *out)
{
    int left = 3, i = 0, seen = 0, e;
    unsigned char wraps = 254;
    for (int k = 0; k < n; k++) {
        if (left-- > 0) out[k] = 7;
        else out[k] = left;
        if ((e = x[k] % 5) > 2 && ++seen < 9) out[k] += e + seen;
        if (wraps++ == 255) out[k] += 100;
        if (x[k] > 50 || (seen += 2) > 11) out[k] -= seen;
    }
    while (i < n && (e = x[i] + out[i]) != 61) {
        out[i] = e;
        i++;
        if (e % 7 == 3) continue;
        out[i - 1]++;
    }
    do {
        if (i == 0) break;
        i--;
    } while ((e = out[i]) > 3 && i-- > 1);
    out[0] = e;
}
