/* Triplets to compressed rows; the row pointers, which the placement moves on, are shifted back behind it. */
void to_rows(const int n_row, const int nnz, const int *Ai, const int *Aj, const float *Ax, int *Bp, int *Bj, float *Bx)
{
    for (int i = 0; i < n_row; i++) Bp[i] = 0;
    for (int n = 0; n < nnz; n++) Bp[Ai[n]]++;
    for (int i = 0, sum = 0; i < n_row; i++) {
        int temp = Bp[i];
        Bp[i] = sum;
        sum += temp;
    }
    Bp[n_row] = nnz;
    for (int n = 0; n < nnz; n++) {
        int row = Ai[n];
        int dest = Bp[row];
        Bj[dest] = Aj[n];
        Bx[dest] = Ax[n];
        Bp[row]++;
    }
}
