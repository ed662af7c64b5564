// A near miss: both pointers may mean one array, whose elements are read after others were placed. want: sequential
#pragma regraph size(n=300) size(n=50) extent(key: n) extent(spare: n) input(key: uniform(0, 15)) input(spare: uniform(0, 15)) input(same: constant(1))
void placed_one_array(int n, int same, int *key, int *spare)
{
    int *from = key, *to = spare;
    int next[16];
    if (same)
        to = key;
    for (int b = 0; b < 16; b++)
        next[b] = b * (n / 16);
    for (int i = 0; i < n; i++)
        if (next[from[i] & 15] < n)
            to[next[from[i] & 15]++] = from[i] + i;
    for (int b = 0; b < 16; b++)
        next[b] = 0;
    for (int i = 0; i < n / 2; i++)
        to[next[from[i] & 15]++] = 2 * i;
}
