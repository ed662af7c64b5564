// Rows whose ends data say, filtered; points of a grid up to a limit; both lists are from outside of a loop over rounds. want: parallel
#pragma regraph size(n=90, m=400, rounds=3, most=50) size(n=3, m=7, rounds=2, most=4)
#pragma regraph extent(ptr: n + 1) extent(col: m) extent(val: m) extent(to: n + 1) extent(c2: m) extent(v2: m) extent(at: most)
#pragma regraph input(ptr: sorted(0, m)) input(val: uniform(0, 99)) input(col: uniform(0, n - 1)) role(c2: inout) role(v2: inout) role(at: inout)
int filtered(int n, int m, int rounds, int most, const int *ptr, const int *col, const int *val, int *to, int *c2, int *v2, int *at)
{
    int found = 0;
    for (int r = 0; r < rounds; r++) {
        int nnz = 0;
        to[0] = 0;
        for (int i = 0; i < n; i++) {
            for (int k = ptr[i]; k < ptr[i + 1]; k++)
                if (val[k] > 30 * r || col[k] == i) {
                    c2[nnz] = col[k];
                    v2[nnz++] = val[k] - r;
                }
            to[i + 1] = nnz;
        }
        for (int i = 0; i < n; i++)
            for (int c = 0; c < 3; c++)
                if ((to[i + 1] - to[i]) % (c + 2) == 1 && found < most) at[found++] = 3 * i + c;
    }
    return found;
}
