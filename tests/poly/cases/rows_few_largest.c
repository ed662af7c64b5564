// The few largest of each row, best first, in a short list that each new one is inserted into: a row per thread. want: parallel
#pragma regraph size(nrow=200, ncol=90, k=5) size(nrow=30, ncol=7, k=3) extent(score: nrow*ncol) extent(best: nrow*k) extent(where: nrow*k)
void rows_few_largest(const float *score, int nrow, int ncol, int k, float *best, int *where)
{
    for (int r = 0; r < nrow; r++) {
        float *b = best + r * k;
        int *w = where + r * k;
        for (int i = 0; i < k; i++) {
            b[i] = -1e30f;
            w[i] = -1;
        }
        for (int c = 0; c < ncol; c++) {
            float s = score[r * ncol + c];
            if (s <= b[k - 1]) continue;
            int i = k - 1;
            while (i > 0 && b[i - 1] < s) {
                b[i] = b[i - 1];
                w[i] = w[i - 1];
                i--;
            }
            b[i] = s;
            w[i] = c;
        }
    }
}
