// want: parallel
/* Unsigned conditions that hold where a number comes round: i - 1u and i + -1u at i = 0 are no integers below 0. */
#pragma regraph size(n=4096)
void below(unsigned n, const int *a, int *t)
{
    for (unsigned i = 0; i < n; i++) {
        t[i] = 5 + (int)i;
        if (i - 1u >= n) t[i] = a[i] * 7;
        if (i + 4294967295u >= n) t[i] += 2;
        if (-i > 3u) {
            t[i] += a[i];
            t[i] *= 3;
        }
    }
}
