// What is stored satisfies the test that others go by: who comes first counts. want: sequential
#pragma regraph size(n=3000, m=12000) size(n=70, m=90) input(seen: uniform(0, 1)) extent(seen: n)
void spread(int n, int m, const int *from, const int *to, int *seen)
{
    for (int e = 0; e < m; e++)
        if (seen[from[e]] && !seen[to[e]]) seen[to[e]] = 1;
}
