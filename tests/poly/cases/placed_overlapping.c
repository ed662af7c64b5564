// Counters that run into one another's places: the last element that comes there counts, as in the C. want: parallel
// chain: parallelize@C
// lacks: one thread: loop i
#pragma regraph size(n=3000) size(n=50) extent(next: 16) extent(out: n + 100) extent(mark: n + 100)
#pragma regraph input(key: uniform(0, 15)) input(next: uniform(0, 99))
void placed_overlapping(int n, const int *key, int *next, int *out, long *mark)
{
    for (int i = 0; i < n; i++) {
        const int slot = next[key[i]];
        next[key[i]] = slot + 1;
        out[slot] = i;
        mark[slot] = 3 * i - 1;
    }
}
