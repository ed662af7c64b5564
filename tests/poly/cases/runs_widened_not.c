// Keys that are never like themselves, by the way they are widened, are runs of their own. want: sequential
#pragma regraph extent(key : n) extent(out : n) size(n = 1000) input(key : sorted(-20, 20))
void runs_widened_not(const int *key, int *out, int n)
{
    int i = 0;
    while (i < n) {
        unsigned k = key[i];
        int j = i + 1;
        while (j < n && (long)key[j] == k) j++;
        out[i] = j - i;
        i = j;
    }
}
