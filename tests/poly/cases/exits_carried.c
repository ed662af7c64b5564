// want: parallel
/* What an iteration has from the one before is as it was where the loop runs again: of a parameter, and of a scalar
 * that an outer loop carries. */
#pragma regraph size(n=40, m=7) size(n=1, m=1) size(n=300, m=9)
#pragma regraph input(x: uniform(-3, 9)) extent(x: n * m) extent(out: n) extent(rows: n * m)
int exits_carried(int n, int m, int sum, const int *x, int *out, int *rows)
{
    int depth = 3;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            depth += x[i * m + j];
            if (depth > 1500) return i * m + j;
            rows[j * n + i] += depth;
        }
    for (int i = 0; i < n; i++) {
        sum += x[i];
        if (sum > 60) return i + 1;
        out[i] = sum;
    }
    return 0;
}
