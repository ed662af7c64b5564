// desc: squaring: min-plus products by 32x32 shared tiles, 9 launches between two tables
// plan: scratch float e[n*n];
// plan: init<<<n*n/256, 256>>>(n, w, e);
// plan: for (int s = 1; s < n; s *= 2) { square<<<dim3(n/32,n/32), dim3(32,32)>>>(n, e, d); swap(e, d); }
// plan: copy(d, e);
__global__ void init(int n, const float *w, float *d) { int i = blockIdx.x * 256 + threadIdx.x; d[i] = i / n == i % n ? 0 : w[i]; }
__global__ void square(int n, const float *e, float *d)
{
    __shared__ float p[32][32], q[32][32];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 32 + y, j = blockIdx.x * 32 + x;
    float v = 1e30f;
    for (int l = 0; l < n; l += 32) {
        p[y][x] = e[i * n + l + x];
        q[y][x] = e[(l + y) * n + j];
        __syncthreads();
        for (int r = 0; r < 32; r++) v = fminf(v, p[y][r] + q[r][x]);
        __syncthreads();
    }
    d[i * n + j] = v;
}
