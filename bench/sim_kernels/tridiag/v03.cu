// desc: everything transposed to scratch (32x33 tiles), coalesced Thomas there, answer transposed back
// plan: scratch float ta[m*n];
// plan: scratch float tb[m*n];
// plan: scratch float tc[m*n];
// plan: scratch float td[m*n];
// plan: turn<<<dim3(ceil_div(n,32), ceil_div(m,32)), dim3(32,8)>>>(m, n, a, ta);
// plan: turn<<<dim3(ceil_div(n,32), ceil_div(m,32)), dim3(32,8)>>>(m, n, b, tb);
// plan: turn<<<dim3(ceil_div(n,32), ceil_div(m,32)), dim3(32,8)>>>(m, n, c, tc);
// plan: turn<<<dim3(ceil_div(n,32), ceil_div(m,32)), dim3(32,8)>>>(m, n, d, td);
// plan: thomas<<<ceil_div(m,64), 64>>>(m, n, ta, tb, tc, td);
// plan: turn<<<dim3(ceil_div(m,32), ceil_div(n,32)), dim3(32,8)>>>(n, m, td, x);
__global__ void turn(int rows, int cols, const float *__restrict__ s, float *__restrict__ t)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = s[(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8) t[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void thomas(int m, int n, const float *a, const float *b, float *c, float *d)
{
    int s = blockIdx.x * 64 + threadIdx.x;
    if (s >= m) return;
    float w = 1.f / b[s], p = c[s] * w, q = d[s] * w;
    c[s] = p;
    d[s] = q;
    for (int i = 1, k = s + m; i < n; i++, k += m) {
        w = 1.f / (b[k] - a[k] * p);
        q = (d[k] - a[k] * q) * w;
        p = c[k] * w;
        c[k] = p;
        d[k] = q;
    }
    for (int i = n - 2, k = s + (n - 2) * m; i >= 0; i--, k -= m) d[k] = q = d[k] - c[k] * q;
}
