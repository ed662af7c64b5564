#define IDX(i, j) ((i) * ny + (j))
#pragma regraph size(nx=200, ny=300, nt=3)
void heat(float *restrict u, float *restrict v, int nx, int ny, int nt, float c)
{
    for (int t = 0; t < nt; ++t) {
        for (int i = 1; i <= nx - 2; ++i)
            for (int j = 1; j <= ny - 2; ++j)
                v[IDX(i, j)] = u[IDX(i, j)] + c * (u[IDX(i - 1, j)] + u[IDX(i + 1, j)] + u[IDX(i, j - 1)] + u[IDX(i, j + 1)] - 4.0f * u[IDX(i, j)]);
        for (int i = 0; i < nx * ny; ++i)
            u[i] = v[i];
    }
}
// explain: u is read as u[nx][ny]
// explain: time-loop
// not: opaque parts
