void lowest(int n, int m, const int *c, const int *a, int rounds, int *low, int *nr)
{
    int t = 0, ch = 1;
    while (ch && t < rounds) {
        ch = 0;
        for (int k = 0; k < n; k++)
            if (a[k] < low[c[k]]) { low[c[k]] = a[k]; ch = 1; }
        t++;
    }
    *nr = t;
}
