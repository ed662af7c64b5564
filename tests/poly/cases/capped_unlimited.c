// No room means that there is no limit: at such a size the loop stays as it is. want: sequential
#pragma regraph size(n=300, max=0) size(n=70, max=0) extent(out: n) input(a: uniform(0, 50))
int capped_unlimited(const int *a, int n, int *out, int max)
{
    int m = 0;
    for (int i = 0; i < n; i++)
        if (a[i] % 3 == 0) {
            out[m++] = a[i];
            if (m == max) break;
        }
    return m;
}
