// Near misses: a condition that asks the counter, a counter that is read for another key, two steps, keys that are placed themselves. want: sequential
#pragma regraph size(n=3000) size(n=50) extent(next: 16) extent(out: 2 * n + 200) extent(other: 2 * n + 200)
#pragma regraph input(key: uniform(0, 15)) input(next: uniform(0, 99)) input(out: uniform(0, 9)) input(other: uniform(0, 9))
void placed_unlike(int n, const int *key, int *next, int *out, int *other)
{
    for (int i = 0; i < n; i++)
        if (next[key[i]] < 50)
            out[next[key[i]]++] = i;
    for (int i = 0; i < n; i++) {
        int third = next[3];
        out[next[key[i]]++] = third;
    }
    for (int i = 0; i < n; i++) {
        other[next[key[i]]++] = i;
        if (i % 3 == 0)
            next[key[i]]--;
    }
    for (int i = 1; i < n; i++)
        out[next[(out[i] & 15)]++] = i;
}
