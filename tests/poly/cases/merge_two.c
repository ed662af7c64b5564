// Two arrays in order as one. want: parallel
#pragma regraph extent(a: n) extent(b: m) extent(out: n + m)
void merge_two(const int *a, int n, const int *b, int m, int *out)
{
    int i = 0, j = 0, k = 0;
    while (i < n && j < m) {
        if (a[i] <= b[j])
            out[k++] = a[i++];
        else
            out[k++] = b[j++];
    }
    while (i < n)
        out[k++] = a[i++];
    while (j < m)
        out[k++] = b[j++];
}
