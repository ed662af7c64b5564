// desc: shared tile for 32x32 points by 1024 threads, halo by the edge threads under conditions
// plan: for (int t = 0; t < steps; t++) { step<<<dim3(n/32, n/32), dim3(32,32)>>>(n, c, a, b); swap(a, b); }
#define R 2
__global__ void __launch_bounds__(1024) step(int n, float c, float *p, const float *q)
{
    __shared__ float s[32 + 2 * R][32 + 2 * R];
    int tx = threadIdx.x, ty = threadIdx.y, j = blockIdx.x * 32 + tx, i = blockIdx.y * 32 + ty;
    s[ty + R][tx + R] = q[i * n + j];
    if (tx < R) {
        s[ty + R][tx] = j >= R ? q[i * n + j - R] : 0.f;
        s[ty + R][tx + 32 + R] = j + 32 < n ? q[i * n + j + 32] : 0.f;
    }
    if (ty < R) {
        s[ty][tx + R] = i >= R ? q[(i - R) * n + j] : 0.f;
        s[ty + 32 + R][tx + R] = i + 32 < n ? q[(i + 32) * n + j] : 0.f;
    }
    __syncthreads();
    if (i >= R && j >= R && i < n - R && j < n - R) {
        float *m = &s[ty + R][tx + R];
        const int W = 32 + 2 * R;
        float l = -5.0f * m[0] + 1.3333334f * (m[-1] + m[1] + m[-W] + m[W]) - 0.083333336f * (m[-2] + m[2] + m[-2 * W] + m[2 * W]);
        p[i * n + j] = 2.0f * m[0] - p[i * n + j] + c * l;
    }
}
