// desc: two steps a launch: the first one's points with a rim are computed twice, in shared memory, 32x32 tile, 32x16 threads
// plan: scratch float x[n*n];
// plan: scratch float y[n*n];
// plan: copy(x, a);
// plan: copy(y, b);
// plan: for (int t = 0; t < steps; t += 2) { two<<<dim3(n/32, n/32), dim3(32,16)>>>(n, c, a, b, x, y); swap(a, x); swap(b, y); }
#define W 40
__device__ float lap(const float *m, int w)
{
    return -5.0f * m[0] + 1.3333334f * (m[-1] + m[1] + m[-w] + m[w]) - 0.083333336f * (m[-2] + m[2] + m[-2 * w] + m[2 * w]);
}
__global__ void __launch_bounds__(512) two(int n, float c, const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ x, float *__restrict__ y)
{
    __shared__ float q[W * W], p[W * W];
    int j0 = blockIdx.x * 32 - 4, i0 = blockIdx.y * 32 - 4, tid = threadIdx.y * 32 + threadIdx.x;
    for (int k = tid; k < W * W; k += 512) {
        int i = i0 + k / W, j = j0 + k % W;
        bool in = i >= 0 && j >= 0 && i < n && j < n;
        q[k] = in ? b[i * n + j] : 0.f;
        p[k] = in ? a[i * n + j] : 0.f;
    }
    __syncthreads();
    for (int k = tid; k < 36 * 36; k += 512) {
        int u = k / 36 + 2, v = k % 36 + 2, i = i0 + u, j = j0 + v;
        if (i >= 2 && j >= 2 && i < n - 2 && j < n - 2) p[u * W + v] = 2.0f * q[u * W + v] - p[u * W + v] + c * lap(&q[u * W + v], W);
    }
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 16) {
        int u = r + 4, v = threadIdx.x + 4, i = i0 + u, j = j0 + v;
        float w = q[u * W + v];
        if (i >= 2 && j >= 2 && i < n - 2 && j < n - 2) w = 2.0f * p[u * W + v] - w + c * lap(&p[u * W + v], W);
        x[i * n + j] = p[u * W + v];
        y[i * n + j] = w;
    }
}
