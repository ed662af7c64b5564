// desc: shared tile 36x12 for 32x8 points
// plan: for (int t = 0; t < steps; t++) { step<<<dim3(ceil_div(n,32), ceil_div(n,8)), dim3(32,8)>>>(n, c, a, b); swap(a, b); }
__global__ void step(int n, float c, float *__restrict__ p, const float *__restrict__ q)
{
    __shared__ float s[12][36];
    int j0 = blockIdx.x * 32 - 2, i0 = blockIdx.y * 8 - 2, tid = threadIdx.y * 32 + threadIdx.x;
    for (int k = tid; k < 12 * 36; k += 256) {
        int y = i0 + k / 36, x = j0 + k % 36;
        s[k / 36][k % 36] = x >= 0 && y >= 0 && x < n && y < n ? q[y * n + x] : 0.f;
    }
    __syncthreads();
    int x = threadIdx.x + 2, y = threadIdx.y + 2, i = i0 + y, j = j0 + x;
    if (i < 2 || j < 2 || i >= n - 2 || j >= n - 2) return;
    float l = -5.0f * s[y][x] + 1.3333334f * (s[y][x - 1] + s[y][x + 1] + s[y - 1][x] + s[y + 1][x])
            - 0.083333336f * (s[y][x - 2] + s[y][x + 2] + s[y - 2][x] + s[y + 2][x]);
    p[i * n + j] = 2.0f * s[y][x] - p[i * n + j] + c * l;
}
