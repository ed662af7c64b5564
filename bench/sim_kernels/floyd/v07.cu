// desc: squaring by 64x64 tiles with 4x4 a thread
// plan: scratch float e[n*n];
// plan: init<<<n*n/256, 256>>>(n, w, e);
// plan: for (int s = 1; s < n; s *= 2) { square<<<dim3(n/64,n/64), 256>>>(n, e, d); swap(e, d); }
// plan: copy(d, e);
__global__ void init(int n, const float *w, float *d) { int i = blockIdx.x * 256 + threadIdx.x; d[i] = i / n == i % n ? 0 : w[i]; }
__global__ void square(int n, const float *e, float *d)
{
    __shared__ float p[16][65], q[16][64];
    int t = threadIdx.x, x = t & 15, y = t / 16, i = blockIdx.y * 64, j = blockIdx.x * 64;
    float v[4][4];
    for (int r = 0; r < 4; r++) for (int c = 0; c < 4; c++) v[r][c] = 1e30f;
    for (int l = 0; l < n; l += 16) {
        for (int r = 0; r < 4; r++) {
            p[x][y + 16 * r] = e[(i + y + 16 * r) * n + l + x];
            q[t / 64 + 4 * r][t & 63] = e[(l + t / 64 + 4 * r) * n + j + (t & 63)];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++)
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int c = 0; c < 4; c++) v[r][c] = fminf(v[r][c], p[k][y + 16 * r] + q[k][x + 16 * c]);
        __syncthreads();
    }
    for (int r = 0; r < 4; r++) for (int c = 0; c < 4; c++) d[(i + y + 16 * r) * n + j + x + 16 * c] = v[r][c];
}
