// desc: tiles of 64x64, a launch for each diagonal of tiles, thread per row in a block of 64
// plan: scratch int h[n+1];
// plan: scratch int w[n+1];
// plan: scratch int x[n+1];
// plan: edge<<<ceil_div(n+1,256), 256>>>(n, h, w, x);
// plan: for (int s = 0; s < 2*n/64-1; s++) tile<<<min(s,n/64-1)-max(0,s-n/64+1)+1, 64>>>(n, s, a, c, h, w, x);
// plan: copy(d, h, n+1);
// h: the row above each tile; w: the column left of it; x: the corner, by diagonal of tiles
__global__ void edge(int n, int *h, int *w, int *x) { int i = blockIdx.x * 256 + threadIdx.x; if (i <= n) { h[i] = i ? i : n; w[i] = i; x[i] = 0; } }
__global__ void tile(int n, int s, const int *a, const int *c, int *h, int *w, int *x)
{
    __shared__ int top[65], v[3][65], ch[64];
    int nt = n / 64, ti = max(0, s - nt + 1) + blockIdx.x, tj = s - ti, t = threadIdx.x;
    int i0 = ti * 64, j0 = tj * 64, mine = a[i0 + t], k = nt - 1 - ti + tj;
    int corner = tj == 0 ? i0 : ti == 0 ? j0 : x[k];
    top[t + 1] = h[j0 + t + 1];
    ch[t] = c[j0 + t];
    int left = w[i0 + t + 1], lastleft = t == 0 ? corner : w[i0 + t], first = lastleft;
    __syncthreads();
    for (int e = 0; e < 127; e++) {
        int j = e - t;
        if (j >= 0 && j < 64) {
            int up = t == 0 ? top[j + 1] : v[(e + 2) % 3][t - 1];
            int dg = j == 0 ? first : t == 0 ? top[j] : v[(e + 1) % 3][t - 1];
            left = min(dg + (mine != ch[j]), min(up, left) + 1);
            v[e % 3][t] = left;
            if (t == 63) h[j0 + j + 1] = left;
        }
        __syncthreads();
    }
    w[i0 + t + 1] = left;
    if (t == 63) x[k] = left;
}
