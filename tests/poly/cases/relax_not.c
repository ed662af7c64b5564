// Updates that may grow as others fall end where their order leads: never at once. want: sequential
#pragma regraph size(n=300, m=900) size(n=20, m=50) input(d: uniform(0, 90))
void swing(int n, int m, const int *a, const int *b, int d[n])
{
    int changed = 1;
    while (changed) {
        changed = 0;
        for (int e = 0; e < m; e++)
            if (50 - d[a[e]] < d[b[e]] && d[b[e]] > 0) {
                d[b[e]] = 50 - d[a[e]] > 0 ? 50 - d[a[e]] : 0;
                changed = 1;
            }
    }
}
