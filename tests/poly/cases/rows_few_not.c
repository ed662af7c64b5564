// The list begins one place further on: that is the first element of the row behind. want: sequential
#pragma regraph size(nrow=90, ncol=40, k=5) size(nrow=30, ncol=7, k=3) extent(score: nrow*ncol) extent(best: nrow*k+1)
void rows_few_not(const int *score, int nrow, int ncol, int k, int *best)
{
    for (int r = 0; r < nrow; r++)
        for (int c = 0; c < ncol; c++) {
            int s = score[r * ncol + c], i = k;
            while (i >= 0 && best[r * k + i] < s) i--;
            if (i >= 0) best[r * k + i] = s;
        }
}
