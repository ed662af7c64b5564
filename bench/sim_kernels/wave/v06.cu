// desc: a thread walks down 16 rows, five values of its column in registers, 128 threads
// plan: for (int t = 0; t < steps; t++) { step<<<dim3(n/128, n/16), 128>>>(n, c, a, b); swap(a, b); }
__global__ void step(int n, float c, float *__restrict__ p, const float *__restrict__ q)
{
    int j = blockIdx.x * 128 + threadIdx.x, i0 = max(2, (int)blockIdx.y * 16), i1 = min(n - 2, (int)blockIdx.y * 16 + 16);
    if (j < 2 || j >= n - 2) return;
    float a = q[(i0 - 2) * n + j], b = q[(i0 - 1) * n + j], m = q[i0 * n + j], d = q[(i0 + 1) * n + j];
    for (int i = i0; i < i1; i++) {
        float e = q[(i + 2) * n + j];
        const float *r = q + i * n + j;
        float l = -5.0f * m + 1.3333334f * (r[-1] + r[1] + b + d) - 0.083333336f * (r[-2] + r[2] + a + e);
        p[i * n + j] = 2.0f * m - p[i * n + j] + c * l;
        a = b; b = m; m = d; d = e;
    }
}
