// Integers behind pointers that are read as their first elements. want: parallel
void scale(const float *x, float *y, const int n[], const int m[1])
{
    int i, j;
    for (i = 0; i < n[0]; i++)
        for (j = 0; j < (m[0]); j++) y[i * m[0] + j] = x[i * *m + j] * 2;
}
