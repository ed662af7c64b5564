// Counters of which one is stepped by a condition, or by what data say, don't go by one another. want: parallel
void equal_counters_not(int n, int w, const char *a, const char *b, int *at, int *sum)
{
    for (int r = 0; r < n; r++) {
        int i = 0, j = 0, k = 0;
        while (i < w && a[i] != 7) {
            if (b[i] == 3) j++;
            k += b[i];
            i++;
        }
        at[r] = i + 2 * j;
        sum[r] = k + r;
        int u = r % 3, v = 0;
        while (v < w && a[v] > b[u]) {
            if (a[v] == 5) u = 0;
            u++;
            v++;
        }
        sum[r] += u;
    }
}
