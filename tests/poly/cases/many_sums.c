// More sums in one loop than a block's reduction has room for: none is lost. want: parallel
#pragma regraph size(n=3000) size(n=1) size(n=70)
void many_sums(int n, const int *x, int *s)
{
    int a[20] = {0};
    int b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, o = 0, p = 0, q = 0;
    for (int i = 0; i < n; i++) {
        b += x[i], c += 2 * x[i], d += 3 * x[i], e += 4 * x[i], f += 5 * x[i], g ^= x[i], h ^= 3 * x[i], o += 6 * x[i];
        p += 7 * x[i], q += i * x[i];
        a[0] += x[i] & 1, a[1] += x[i] & 2, a[2] += x[i] & 4, a[3] += x[i] & 8, a[4] += x[i] & 16, a[5] += x[i] & 32;
        a[6] += x[i] & 64, a[7] += x[i] & 128, a[8] += x[i] & 256;
    }
    for (int i = 0; i < 9; i++) s[i] = a[i];
    s[9] = b, s[10] = c, s[11] = d, s[12] = e, s[13] = f, s[14] = g, s[15] = h, s[16] = o, s[17] = p, s[18] = q;
}
