// desc: tiles of 32x32, a warp each with shuffles, a launch for each diagonal of tiles, 4 warps a block
// plan: scratch int h[n+1];
// plan: scratch int w[n+1];
// plan: scratch int x[n+1];
// plan: edge<<<ceil_div(n+1,256), 256>>>(n, h, w);
// plan: for (int s = 0; s < 2*n/32-1; s++) tile<<<ceil_div(min(s,n/32-1)-max(0,s-n/32+1)+1,4), 128>>>(n, s, a, c, h, w, x);
// plan: copy(d, h, n+1);
__global__ void edge(int n, int *h, int *w) { int i = blockIdx.x * 256 + threadIdx.x; if (i <= n) { h[i] = i ? i : n; w[i] = i; } }
__global__ void tile(int n, int s, const int *__restrict__ a, const int *__restrict__ c, int *h, int *w, int *x)
{
    int nt = n / 32, lo = max(0, s - nt + 1), ti = lo + blockIdx.x * 4 + threadIdx.x / 32, tj = s - ti, l = threadIdx.x & 31;
    if (ti > min(s, nt - 1)) return;
    int i0 = ti * 32, j0 = tj * 32, mine = a[i0 + l], k = nt - 1 - ti + tj;
    int corner = tj == 0 ? i0 : ti == 0 ? j0 : x[k];
    int top = h[j0 + l + 1], ch = c[j0 + l], left = w[i0 + l + 1];
    int dg = __shfl_up_sync(~0u, left, 1);
    if (l == 0) dg = corner;
    int bottom = 0;
#pragma unroll 4
    for (int e = 0; e < 63; e++) {
        int j = e - l;
        int up = __shfl_up_sync(~0u, left, 1), t = __shfl_sync(~0u, top, e & 31), q = __shfl_sync(~0u, ch, j & 31);
        if (l == 0) up = t;
        if (j >= 0 && j < 32) {
            left = min(dg + (mine != q), min(up, left) + 1);
            dg = up;
        }
        int b = __shfl_sync(~0u, left, 31);
        if (e - 31 == l) bottom = b;
    }
    h[j0 + l + 1] = bottom;
    w[i0 + l + 1] = left;
    if (l == 31) x[k] = left;
}
