// want: sequential
/* Where the loop writes hangs on what it computes. */
#pragma regraph size(n=40, m=30) size(n=1, m=1) size(n=300, m=20) size(n=2, m=3)
#pragma regraph input(v: uniform(0, 3000)) extent(v: n * m)
int exits_by_place_not(int n, int m, const int *v, int *marks, double *sums)
{
    double last = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            last = v[i * m + j] / (1 + last * last);
            if (last > 2990) return i + 1;
            if (last < 2.5) marks[i * m + j] = j;
            sums[i * m + j] += last;
        }
    return 0;
}
