// Runs that other data may end before their elements do: each element is asked for itself. want: parallel
#pragma regraph extent(key: n) extent(ends: n) extent(stops: n)
int runs_left(const int *key, const int *stops, int n, int *ends)
{
    int k = 0;
    for (int i = 0; i < n;) {
        int j = i + 1;
        for (; j < n && key[j] == key[i]; j++)
            if (stops[j] > 1) break;
        ends[k++] = j;
        i = j;
    }
    return k;
}
