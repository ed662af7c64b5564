/* The place comes from the counter's old value, which moves by two: the order matters. */
#pragma regraph size(n=1000, m=50) extent(key: n) extent(next: m) extent(slot: n) input(key: uniform(0, m-1))
void slots(int n, int m, const int *key, int *next, int *slot)
{
    for (int i = 0; i < n; i++) {
        slot[i] = next[key[i]];
        next[key[i]] += 2;
    }
}
