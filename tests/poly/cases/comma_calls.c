// What stands in front of a comma is done first, and only where the comma is come to. want: parallel
// chain: parallelize@C
#pragma regraph size(n=3000) size(n=1) size(n=37) extent(a: n * 8) extent(o: n) input(a: uniform(-9, 9))
static int next(const int **p, const int *end, int *sum)
{
    if (*p >= end) return 0;
    *sum += **p;
    ++*p;
    return *sum > -12;
}

void turns(const int *restrict a, int n, int *restrict o)
{
    for (int i = 0; i < n; i++) {
        const int *p = a + 8 * i, *end = p + 8;
        int sum = i % 5, k = 0, m = 0;
        if (sum > 2 && (k += 3, sum -= k, next(&p, end, &sum))) m = sum * 2 + k;
        if (sum < 0 || (k++, !next(&p, end, &sum))) m -= k;
        int v = sum > 4 ? (sum -= 2, next(&p, end, &sum)) : (k -= 7, sum + k);
        while (k < 40 && (k += 9, next(&p, end, &sum))) m += k;
        o[i] = m * 1000 + v * 100 + sum + k + (int)(end - p);
    }
}
