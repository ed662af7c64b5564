// want: parallel
// chain: parallelize@C,coalesce@C
// Lattice Boltzmann: each direction pushes what it has to the neighbour, round the edges; the directions are in a table.
#pragma regraph size(n=40, m=24) size(n=17, m=5) size(n=1, m=1)
static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const float w[9] = {4 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
void push(int n, int m, const float f[9][n][m], float fnew[9][n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float rho = 0;
            for (int k = 0; k < 9; k++) rho += f[k][i][j];
            for (int k = 0; k < 9; k++) {
                int ii = (i + cx[k] + n) % n, jj = (j + cy[k] + m) % m;
                fnew[k][ii][jj] = 0.4f * f[k][i][j] + 0.6f * w[k] * rho;
            }
        }
}
