/* the first place of the largest of each row */
void ref_argmax(int m, int n, const float *x, int *at)
{
    for (int i = 0; i < m; i++) {
        int b = 0;
        for (int j = 1; j < n; j++) if (x[i * n + j] > x[i * n + b]) b = j;
        at[i] = b;
    }
}
