// desc: slices of 64 rows to scratch by float4, second kernel block per 32 columns
// plan: scratch float p[ceil_div(m,64)*n];
// plan: scratch float q[ceil_div(m,64)*n];
// plan: part<<<dim3(ceil_div(n/4,64),ceil_div(m,64)), 64>>>(m, n, x, p, q);
// plan: last<<<ceil_div(n,32), dim3(32,8)>>>(m, n, p, q, mean, dev);
__global__ void part(int m, int n, const float4 *__restrict__ x, float4 *__restrict__ p, float4 *__restrict__ q)
{
    int j = blockIdx.x * 64 + threadIdx.x, w = n / 4, i0 = blockIdx.y * 64, i1 = min(m, i0 + 64);
    if (j >= w) return;
    float4 s = make_float4(0, 0, 0, 0), v = s;
#pragma unroll 8
    for (int i = i0; i < i1; i++) {
        float4 e = x[i * w + j];
        e.x -= 1; e.y -= 1; e.z -= 1; e.w -= 1;
        s.x += e.x; s.y += e.y; s.z += e.z; s.w += e.w;
        v.x += e.x * e.x; v.y += e.y * e.y; v.z += e.z * e.z; v.w += e.w * e.w;
    }
    p[blockIdx.y * w + j] = s;
    q[blockIdx.y * w + j] = v;
}
__global__ void last(int m, int n, const float *p, const float *q, float *mean, float *dev)
{
    __shared__ float a[8][32], b[8][32];
    int c = threadIdx.x, r = threadIdx.y, j = blockIdx.x * 32 + c, k = (m + 63) / 64;
    float s = 0, v = 0;
    if (j < n) for (int i = r; i < k; i += 8) { s += p[i * n + j]; v += q[i * n + j]; }
    a[r][c] = s; b[r][c] = v;
    __syncthreads();
    if (r == 0 && j < n) {
        for (int i = 1; i < 8; i++) { s += a[i][c]; v += b[i][c]; }
        s /= m; mean[j] = s + 1; dev[j] = sqrtf(v / m - s * s);
    }
}
