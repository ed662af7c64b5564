// desc: x of the thread runs down the columns: strided, 16x16
// plan: for (int t = 0; t < steps; t++) { step<<<dim3(ceil_div(n,16), ceil_div(n,16)), dim3(16,16)>>>(n, c, a, b); swap(a, b); }
__global__ void step(int n, float c, float *p, const float *q)
{
    int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;
    if (i > 1 && j > 1 && i < n - 2 && j < n - 2) {
        float l = -5.0f * q[i * n + j] + 1.3333334f * (q[i * n + j - 1] + q[i * n + j + 1] + q[(i - 1) * n + j] + q[(i + 1) * n + j])
                - 0.083333336f * (q[i * n + j - 2] + q[i * n + j + 2] + q[(i - 2) * n + j] + q[(i + 2) * n + j]);
        p[i * n + j] = 2.0f * q[i * n + j] - p[i * n + j] + c * l;
    }
}
