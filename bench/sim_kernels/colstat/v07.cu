// desc: last block done: 66 slices, a ticket by atomics, the last block of a column group adds the slices
// plan: scratch float p[66*n];
// plan: scratch float q[66*n];
// plan: scratch int ticket[ceil_div(n,128)];
// plan: fill(ticket, 0);
// plan: stat<<<dim3(ceil_div(n,128),66), 128>>>(m, n, x, p, q, ticket, mean, dev);
__global__ void stat(int m, int n, const float *__restrict__ x, float *p, float *q, int *ticket, float *mean, float *dev)
{
    __shared__ int last;
    int j = blockIdx.x * 128 + threadIdx.x;
    float s = 0, v = 0;
    if (j < n) {
#pragma unroll 4
        for (int i = blockIdx.y; i < m; i += 66) { float d = x[i * n + j] - 1; s += d; v += d * d; }
        p[blockIdx.y * n + j] = s;
        q[blockIdx.y * n + j] = v;
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&ticket[blockIdx.x], 1) == 65;
    __syncthreads();
    if (!last || j >= n) return;
    __threadfence();
    s = v = 0;
    for (int i = 0; i < 66; i++) { s += ((volatile float *)p)[i * n + j]; v += ((volatile float *)q)[i * n + j]; }
    s /= m;
    mean[j] = s + 1;
    dev[j] = sqrtf(v / m - s * s);
}
