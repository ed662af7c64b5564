// What both have comes out once: no merge. want: sequential
#pragma regraph size(n=500, m=400) extent(a: n) extent(b: m) extent(out: n + m) input(a: sorted(0, 900)) input(b: sorted(0, 900))
int merge_not(const int *a, int n, const int *b, int m, int *out)
{
    int i = 0, j = 0, k = 0;
    while (i < n && j < m) {
        if (a[i] < b[j])
            out[k++] = a[i++];
        else if (a[i] > b[j])
            out[k++] = b[j++];
        else
            out[k++] = a[i++], j++;
    }
    while (i < n)
        out[k++] = a[i++];
    while (j < m)
        out[k++] = b[j++];
    return k;
}
