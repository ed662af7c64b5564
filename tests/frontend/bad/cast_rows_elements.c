// expect: memory is read as another type
/* rows of another element type are no rows of this array */
#pragma regraph size(n=100)
void diagonal(int n, const float *x, double *y)
{
    const double(*rows)[8] = (const double(*)[8])x;
    for (int i = 0; i < n; i++) y[i] = rows[i][0];
}
