// desc: a warp per 32 rows runs along the columns in steps of 32 and waits for a flag of the warp above, one launch
// plan: scratch int b[n/32][n+1];
// plan: scratch int f[n/32];
// plan: fill(f, 0);
// plan: strip<<<n/32, 32>>>(n, a, c, b, f, d);
__global__ void strip(int n, const int *__restrict__ a, const int *__restrict__ c, int *b, int *f, int *d)
{
    int s = blockIdx.x, l = threadIdx.x, i = s * 32 + l, mine = a[i], left = i + 1, dg = i;
    int *out = s == n / 32 - 1 ? d : b + s * (n + 1);
    volatile const int *in = b + (s - 1) * (n + 1);
    if (l == 0) out[0] = s * 32 + 32;
    for (int j0 = 0; j0 < n + 32; j0 += 32) {
        int top = j0 + l + 1;
        if (s > 0 && j0 < n) {
            if (l == 0) while (((volatile int *)f)[s - 1] < j0 + 32) { }
            __syncwarp();
            __threadfence();
            top = in[j0 + l + 1];
        }
        int ch = j0 + l < n ? c[j0 + l] : 0, chb = j0 ? c[j0 - 32 + l] : 0;
        for (int e = 0; e < 32; e++) {
            int j = j0 + e - l, up = __shfl_up_sync(~0u, left, 1), t = __shfl_sync(~0u, top, e), q = __shfl_sync(~0u, ch, j & 31), r = __shfl_sync(~0u, chb, j & 31);
            if (l == 0) up = t;
            if (j >= 0 && j < n) {
                left = min(dg + (mine != (e >= l ? q : r)), min(up, left) + 1);
                dg = up;
                if (l == 31) out[j + 1] = left;
            }
        }
        __threadfence();
        if (l == 31) ((volatile int *)f)[s] = j0;
    }
}
