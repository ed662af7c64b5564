// expect: --extent 'col: 8*n' --extent 'val: 8*n' --extent 'x: n'
/* non-zeros are more than rows; what the function itself writes says nothing before it runs */
void spmv(int n, int *rowptr, const int *col, const double *val, const double *x, double *y)
{
    rowptr[0] = 0;
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = rowptr[i]; k < rowptr[i + 1]; k++) s += val[k] * x[col[k]];
        y[i] = s;
    }
}
