/* The merge of a bitonic sort, by places from lo on. */
static void merge(int *a, int lo, int count, int up)
{
    if (count > 1) {
        int k = count / 2;
        for (int i = lo; i < lo + k; i++)
            if (up == (a[i] > a[i + k])) {
                int t = a[i];
                a[i] = a[i + k];
                a[i + k] = t;
            }
        merge(a, lo, k, up);
        merge(a, lo + k, k, up);
    }
}

void bitonic_merge(int *keys, int n)
{
    merge(keys, 0, n, 1);
}
