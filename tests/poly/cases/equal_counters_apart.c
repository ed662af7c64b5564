// How long texts agree from different places on: counters that step together, by other steps, and are asked for behind the loop. want: parallel
int equal_counters_apart(int n, int w, const char *a, const char *b, int *agree, int *past)
{
    int total = 0;
    for (int r = 0; r < n; r++) {
        int i, j, k = 3;
        for (i = 1, j = r; i < w && a[i] == b[j]; i++, j++)
            ;
        agree[r] = i + j;
        int d = 0;
        while (d < w && a[d] != b[k]) {
            k += 2;
            d++;
        }
        past[r] = k;
        total += j - r;
    }
    return total;
}
