// want: sequential
/* As long as the longest in every row: rows overlap, and the last one's values stay. */
#pragma regraph size(n=60) extent(m: n*(n+1)/2 + n)
void overlapping(int n, const double *x, double *m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) m[i * (i + 1) / 2 + j] = x[i] + 0.5 * m[i * (i + 1) / 2 + j];
}
