// desc: one cooperative kernel, tiles of 64x64 by blocks of 64, a grid barrier for each diagonal of tiles
// plan: scratch int h[n+1];
// plan: scratch int w[n+1];
// plan: scratch int x[n+1];
// plan: edge<<<ceil_div(n+1,256), 256>>>(n, h, w);
// plan: [cooperative] run<<<n/64, 64>>>(n, a, c, h, w, x);
// plan: copy(d, h, n+1);
#include <cooperative_groups.h>
__global__ void edge(int n, int *h, int *w) { int i = blockIdx.x * 256 + threadIdx.x; if (i <= n) { h[i] = i ? i : n; w[i] = i; } }
__global__ void run(int n, const int *a, const int *c, int *h, int *w, int *x)
{
    __shared__ int top[65], v[3][65], ch[64];
    cooperative_groups::grid_group g = cooperative_groups::this_grid();
    int nt = n / 64, ti = blockIdx.x, t = threadIdx.x, i0 = ti * 64, mine = a[i0 + t];
    for (int s = 0; s < 2 * nt - 1; s++) {
        int tj = s - ti;
        if (tj >= 0 && tj < nt) {
            int j0 = tj * 64, k = nt - 1 - ti + tj, corner = tj == 0 ? i0 : ti == 0 ? j0 : x[k];
            top[t + 1] = h[j0 + t + 1];
            ch[t] = c[j0 + t];
            int left = w[i0 + t + 1], first = t == 0 ? corner : w[i0 + t];
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
        g.sync();
    }
}
