// Pieces of runs whose last element is known, the limit asked first, from the other side. want: parallel
#pragma regraph extent(s: n) extent(from: n) extent(to: n)
int runs_pieces(const int *s, int n, int *from, int *to)
{
    int o = 0, i = 0;
    while (i < n) {
        int j = i;
        while (j + 1 < n && 4 >= j - i + 1 && s[j + 1] == s[i]) j++;
        from[o] = i;
        to[o] = j;
        o++;
        i = j + 1;
    }
    return o;
}
