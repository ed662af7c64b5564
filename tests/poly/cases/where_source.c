// want: parallel
// chain: parallelize
// shows: q\[k\] = q\[k\] \+ d\[
// lacks: % \(?nx
/* A source at an element that nobody knows the row of: one thread, by the file's own subscript, and the sweeps around it stay parallel, in three
 * dimensions too; receivers that data say. */
#pragma regraph size(nx=40,ny=20,nz=13,nt=6,nr=17,k=900) size(nx=7,ny=6,nz=9,nt=3,nr=5,k=100)
void where_source(int nx, int ny, int nz, int nt, int nr, int k, const int *rec, const float *d, float *out, float *p, float *q)
{
    for (int t = 0; t < nt; t++) {
        for (int z = 1; z < nz - 1; z++)
            for (int y = 1; y < ny - 1; y++)
                for (int x = 1; x < nx - 1; x++) {
                    int i = (z * ny + y) * nx + x;
                    q[i] = 0.25f * (p[i - 1] + p[i + 1] + p[i - nx] + p[i + nx] + p[i - nx * ny] + p[i + nx * ny]) - q[i];
                }
        q[k] += d[t];
        for (int r = 0; r < nr; r++) out[t * nr + r] = q[rec[r]];
        float *s = p;
        p = q;
        q = s;
    }
}
