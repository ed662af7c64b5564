// Pairs by keys, the second array by a rule of its own: not the sort of both. want: sequential
#pragma regraph size(n=200) size(n=40)
#pragma regraph extent(key: n) extent(what: n)
void nearly(int *key, int *what, int n)
{
    for (int gap = n / 2; gap > 0; gap /= 2)
        for (int i = gap; i < n; i++)
            for (int j = i; j >= gap && key[j - gap] > key[j]; j -= gap) {
                int t = key[j];
                key[j] = key[j - gap];
                key[j - gap] = t;
                if (what[j] < what[j - gap]) continue;
                t = what[j];
                what[j] = what[j - gap];
                what[j - gap] = t;
            }
}
