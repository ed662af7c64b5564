// want: parallel
/* An error ends a row in a loop over rows, which carries on: what is kept of the array is the row, not all of it. */
#pragma regraph size(n=40, m=7) size(n=1, m=1) size(n=300, m=9)
#pragma regraph input(x: uniform(0, 300)) extent(w: 2)
int exits_in_rows(int n, int m, const int x[n][m], unsigned char out[n][m], int *w)
{
    int state = 0, prev = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            int v = x[i][j];
            if (v > 296 && state) return 5;
            prev = (prev * 3 + v) & 255;
            state = prev > 250;
            out[i][j] = (unsigned char)prev;
            if (prev == 255) {
                w[0]++;
                return 7;
            }
        }
        w[1] = state + i;
    }
    return 0;
}
