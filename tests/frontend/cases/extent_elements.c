// function: elements
/* One extent for an array of several dimensions: its elements where the inner dimensions are in it (else its rows). */
#pragma regraph size(n=700, m=30) extent(u: 6*m*n) extent(at: m*3) extent(rows: 3*m + n)
void elements(int n, int m, const float u[][2 * m], const double (*at)[3], const int (*rows)[3], float *y)
{
    for (int j = 0; j < 3 * n; j++)
        for (int i = 0; i < 2 * m; i++) y[j * 2 * m + i] = u[j][i];
    for (int i = 0; i < m; i++) y[i] += at[i][1] + rows[3 * i][2];
}
// explain: float[3*n][2*m]
// explain: double[m][3]
// explain: int[3*m + n][3]
