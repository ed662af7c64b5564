// desc: one block of 1024, diagonals in shared memory, a barrier each
// plan: edit<<<1, 1024, 12*(n+1)>>>(n, a, c, d);
__global__ void edit(int n, const int *a, const int *c, int *d)
{
    extern __shared__ int m[];
    int *p = m, *q = m + n + 1, *r = q + n + 1;
    for (int s = 0; s <= 2 * n; s++) {
        int lo = max(0, s - n), hi = min(s, n);
        for (int i = lo + threadIdx.x; i <= hi; i += 1024) {
            int j = s - i, v;
            if (i == 0) v = j;
            else if (j == 0) v = i;
            else v = min(p[i - 1] + (a[i - 1] != c[j - 1]), min(q[i], q[i - 1]) + 1);
            r[i] = v;
            if (i == n) d[j] = v;
        }
        int *t = p; p = q; q = r; r = t;
        __syncthreads();
    }
}
