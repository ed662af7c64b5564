// desc: one warp walks over strips of 32 rows, the row between strips in shared memory
// plan: edit<<<1, 32, 8*(n+1)>>>(n, a, c, d);
__global__ void edit(int n, const int *a, const int *c, int *d)
{
    extern __shared__ int row[];
    int *ch = row + n + 1, l = threadIdx.x;
    for (int j = l; j <= n; j += 32) { row[j] = j; if (j < n) ch[j] = c[j]; }
    __syncwarp();
    for (int i0 = 0; i0 < n; i0 += 32) {
        int mine = a[i0 + l], left = i0 + l + 1, dg = i0 + l;
        for (int e = 0; e < n + 31; e++) {
            int j = e - l, up = __shfl_up_sync(~0u, left, 1);
            if (j >= 0 && j < n) {
                if (l == 0) up = row[j + 1];
                left = min(dg + (mine != ch[j]), min(up, left) + 1);
                dg = up;
                if (l == 31) row[j + 1] = left;
            }
            __syncwarp();
        }
    }
    for (int j = l; j <= n; j += 32) d[j] = j ? row[j] : n;
}
