// Lists that ask for what is in them, fall back, or leave a step out: in order. want: sequential
#pragma regraph size(n=60, m=24) size(n=3, m=5)
#pragma regraph extent(x: n*m) extent(out: n*m + 1) extent(other: 2*n*m + 1) extent(total: 2)
void ordered(int n, int m, const int *x, int *out, int *other, int *total)
{
    int k = 0, q = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (k == 0 || out[k - 1] != x[i * m + j]) out[k++] = x[i * m + j];
            other[q] = j;
            if (x[i * m + j] > 0) q += 2;
            if (q % 5 == 4) q--;
        }
    total[0] = k;
    total[1] = q;
}
