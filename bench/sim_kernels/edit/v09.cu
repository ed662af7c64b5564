// desc: tiles of 128x128, a block of 128 and four columns a thread at a time, a launch for each diagonal of tiles
// plan: scratch int h[n+1];
// plan: scratch int w[n+1];
// plan: scratch int x[n+1];
// plan: edge<<<ceil_div(n+1,256), 256>>>(n, h, w);
// plan: for (int s = 0; s < 2*n/128-1; s++) tile<<<min(s,n/128-1)-max(0,s-n/128+1)+1, 128>>>(n, s, a, c, h, w, x);
// plan: copy(d, h, n+1);
__global__ void edge(int n, int *h, int *w) { int i = blockIdx.x * 256 + threadIdx.x; if (i <= n) { h[i] = i ? i : n; w[i] = i; } }
__global__ void tile(int n, int s, const int *a, const int *c, int *h, int *w, int *x)
{
    __shared__ int4 top[32], ch[32], v[2][128];
    int nt = n / 128, ti = max(0, s - nt + 1) + blockIdx.x, tj = s - ti, t = threadIdx.x;
    int i0 = ti * 128, j0 = tj * 128, mine = a[i0 + t], k = nt - 1 - ti + tj;
    int corner = tj == 0 ? i0 : ti == 0 ? j0 : x[k];
    ((int *)top)[t] = h[j0 + t + 1];
    ((int *)ch)[t] = c[j0 + t];
    int left = w[i0 + t + 1], dg = t == 0 ? corner : w[i0 + t];
    __syncthreads();
    for (int e = 0; e < 159; e++) {
        int j = e - t;
        if (j >= 0 && j < 32) {
            int4 up = t == 0 ? top[j] : v[(e + 1) & 1][t - 1], q = ch[j], o;
            o.x = min(dg + (mine != q.x), min(up.x, left) + 1);
            o.y = min(up.x + (mine != q.y), min(up.y, o.x) + 1);
            o.z = min(up.y + (mine != q.z), min(up.z, o.y) + 1);
            o.w = min(up.z + (mine != q.w), min(up.w, o.z) + 1);
            left = o.w;
            dg = up.w;
            v[e & 1][t] = o;
            if (t == 127) { int *p = h + j0 + 4 * j + 1; p[0] = o.x; p[1] = o.y; p[2] = o.z; p[3] = o.w; }
        }
        __syncthreads();
    }
    w[i0 + t + 1] = left;
    if (t == 127) x[k] = left;
}
