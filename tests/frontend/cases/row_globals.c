/* File-scope tables of pointers: rows that live elsewhere, of which the function is given the addresses. */
float *rows[6];
double *planes[3][2];
double **deep[2];
float total[6];
int n;

#pragma regraph size(n=7) size(n=33) extent(deep: 2, 4, n)
void tables(void)
{
    for (int r = 0; r < 6; r++) {
        float s = 0;
        for (int i = 0; i < n; i++) {
            s += rows[r][i];
            rows[r][i] *= 0.5f;
        }
        total[r] = s;
    }
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < n; i++) planes[k][j][i] += k + 2 * j;
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < n; i++) deep[k][j][i] = 3.0 * deep[k][j][i] + j;
}
