// want: parallel
// chain: parallelize@C,coalesce@C,coarsen.register@C,tile.shared@u{BX=16,BY=4,RX=2,RY=4,TILE=8}
// shows: < end \? u\[
/* A flat array that ends before its last row does: a tile's rows there are not whole. */
void tile_last_row(int ni, int nj, const double *u, double *du)
{
#pragma regraph size(ni=60, nj=90) size(ni=3, nj=5) size(ni=16, nj=31)
    const int ldu = nj + 4;
    for (int i = 0; i < ni; ++i)
        for (int j = 0; j < nj; ++j)
            du[(i + 2) * ldu + j + 2] = u[(i + 2) * ldu + j + 2] - 0.2 * (u[(i + 3) * ldu + j + 2] - u[(i + 1) * ldu + j + 2]) +
                                        0.1 * (u[(i + 4) * ldu + j + 2] - u[i * ldu + j + 2]) +
                                        0.3 * (u[(i + 2) * ldu + j + 3] - u[(i + 2) * ldu + j + 1]);
}
