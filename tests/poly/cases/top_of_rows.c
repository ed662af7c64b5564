// Each row keeps the k best, sorted by insertion, in its part of a flat array. want: parallel
#pragma regraph size(rows=500, m=60, k=6) size(rows=4, m=9, k=3) size(rows=3, m=2, k=1)
#pragma regraph extent(best: rows * k) extent(where: rows * k)
void top_of_rows(int rows, int m, int k, const float x[rows][m], float *best, int *where)
{
    for (int r = 0; r < rows; r++) {
        float *b = best + r * k;
        int *at = where + r * k, have = 0;
        for (int j = 0; j < m; j++) {
            float v = x[r][j];
            if (have == k && v <= b[have - 1]) continue;
            if (have < k) have++;
            int pos = have - 1;
            while (pos > 0 && b[pos - 1] < v) {
                b[pos] = b[pos - 1];
                at[pos] = at[pos - 1];
                pos--;
            }
            b[pos] = v;
            at[pos] = j;
        }
        for (; have < k; have++) {
            b[have] = 0;
            at[have] = -1;
        }
    }
}
