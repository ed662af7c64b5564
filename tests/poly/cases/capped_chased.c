// Where the list is full, the rest of the chain may lead anywhere. want: sequential
#pragma regraph size(n=300, max=20) size(n=70, max=90) extent(key: n) extent(out: max) input(next: uniform(0, n - 1)) input(key: uniform(0, 50))
int capped_chased(const int *next, const int *key, int n, int *out, int max)
{
    int m = 0;
    for (int i = 0; i < n; i++) {
        if (m >= max) break;
        if (key[next[i]] % 3 == 0)
            out[m++] = next[i];
    }
    return m;
}
