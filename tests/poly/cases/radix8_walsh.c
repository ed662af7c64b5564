// Eight elements a span apart, by a while loop; the last rounds may be of radix 2. want: parallel
#pragma regraph size(n=4096) size(n=1024) extent(v: n)
void walsh(int *v, long n)
{
    long h = n / 8;
    while (h >= 1) {
        for (long b = 0; b < n; b += 8 * h)
            for (long k = b; k < b + h; k++) {
                int a0 = v[k], a1 = v[k + h], a2 = v[k + 2 * h], a3 = v[k + 3 * h];
                int a4 = v[k + 4 * h], a5 = v[k + 5 * h], a6 = v[k + 6 * h], a7 = v[k + 7 * h];
                int b0 = a0 + a4, b1 = a1 + a5, b2 = a2 + a6, b3 = a3 + a7;
                int b4 = a0 - a4, b5 = a1 - a5, b6 = a2 - a6, b7 = a3 - a7;
                v[k] = b0 + b2 + b1 + b3;
                v[k + h] = b0 + b2 - b1 - b3;
                v[k + 2 * h] = b0 - b2 + b1 - b3;
                v[k + 3 * h] = b0 - b2 - b1 + b3;
                v[k + 4 * h] = b4 + b6 + b5 + b7;
                v[k + 5 * h] = b4 + b6 - b5 - b7;
                v[k + 6 * h] = b4 - b6 + b5 - b7;
                v[k + 7 * h] = b4 - b6 - b5 + b7;
            }
        h /= 8;
    }
}
