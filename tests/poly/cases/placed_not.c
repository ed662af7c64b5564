// Counters that move by two, that are asked for again, or whose places say what is added: no placement. want: sequential
#pragma regraph size(n=3000) size(n=50) extent(next: 16) extent(other: 16) extent(out: 2 * n + 100)
#pragma regraph input(key: uniform(0, 15)) input(next: uniform(0, 99)) input(other: uniform(0, 99)) input(out: uniform(0, 9))
void placed_not(int n, const int *key, int *next, int *other, int *out)
{
    for (int i = 0; i < n; i++) {
        int slot = next[key[i]];
        next[key[i]] = slot + 2;
        out[slot] = i;
    }
    for (int i = 0; i < n; i++) {
        short slot = other[key[i]];
        other[key[i]] = slot + 1;
        out[slot] = other[0];
    }
}
