// An image of n*m elements that is scattered into by rows nobody can bound: its other loops are parallel. want: parallel
// chain: parallelize,coalesce
// shows: atomicAdd\(&v\[
#pragma regraph size(n=200,nx=40,ny=30) size(n=31,nx=7,ny=13) input(a: uniform(0, 3)) input(b: uniform(4, 6)) require(nx >= 7) require(ny >= 7)
void scatter_boxes(int n, int nx, int ny, const int *a, const int *b, const float *w, float *v)
{
    for (int k = 0; k < nx * ny; k++) v[k] = 0;
    for (int p = 0; p < n; p++)
        for (int j = a[p]; j < b[p]; j++)
            for (int i = a[p]; i < b[p]; i++) v[j * nx + i] += w[p];
    for (int k = 0; k < nx * ny; k++) v[k] /= n;
}
