// A matrix assembled row by row through one counter: the grid's points count, a scan says where each begins. want: parallel
// shows: first
// chain: parallelize,coalesce,scan.block
#pragma regraph size(nx=60, ny=40) size(nx=3, ny=5)
#pragma regraph extent(mask: nx*ny) extent(ptr: nx*ny + 1) extent(col: 5*nx*ny) extent(val: 5*nx*ny)
static void put(int *col, int *val, int *n, int j, int v)
{
    col[*n] = j;
    val[*n] = v;
    ++*n;
}
int assembled(int nx, int ny, const int *mask, int *ptr, int *col, int *val)
{
    int n = 0;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            int row = j * nx + i;
            ptr[row] = n;
            if (!mask[row]) {
                put(col, val, &n, row, 1);
                continue;
            }
            if (j > 0) put(col, val, &n, row - nx, -1);
            if (i > 0) put(col, val, &n, row - 1, -1);
            put(col, val, &n, row, 4);
            if (i < nx - 1) put(col, val, &n, row + 1, -1);
            if (j < ny - 1) put(col, val, &n, row + nx, -1);
        }
    ptr[nx * ny] = n;
    return n;
}
