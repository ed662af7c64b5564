// Runs that what their first element has may end before their elements do. want: sequential
#pragma regraph extent(key: n) extent(ends: n) extent(stops: n)
int runs_left_not(const int *key, const int *stops, int n, int *ends)
{
    int k = 0;
    for (int i = 0; i < n;) {
        int j = i + 1;
        for (; j < n && key[j] == key[i]; j++)
            if (stops[j] > stops[i]) break;
        ends[k++] = j;
        i = j;
    }
    return k;
}
