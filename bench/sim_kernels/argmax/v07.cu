// desc: two kernels: 64 elements a thread (uncoalesced) to scratch, then a block per row
// plan: scratch int p[m*(n/64)];
// plan: part<<<m*(n/64)/128, 128>>>(n, x, p);
// plan: last<<<m, 128>>>(n, x, p, at);
__global__ void part(int n, const float *x, int *p)
{
    long e = (long)blockIdx.x * 128 + threadIdx.x;
    const float *r = x + e * 64;
    int b = 0;
    for (int j = 1; j < 64; j++) if (r[j] > r[b]) b = j;
    p[e] = (int)(e % (n / 64)) * 64 + b;
}
__global__ void last(int n, const float *x, const int *p, int *at)
{
    __shared__ float v[128];
    __shared__ int q[128];
    int t = threadIdx.x, k = n / 64, b = p[(long)blockIdx.x * k + t];
    const float *r = x + (long)blockIdx.x * n;
    for (int j = t + 128; j < k; j += 128) { int c = p[(long)blockIdx.x * k + j]; if (r[c] > r[b]) b = c; }
    v[t] = r[b]; q[t] = b;
    for (int h = 64; h; h /= 2) {
        __syncthreads();
        if (t < h && (v[t + h] > v[t] || (v[t + h] == v[t] && q[t + h] < q[t]))) v[t] = v[t + h], q[t] = q[t + h];
    }
    if (t == 0) at[blockIdx.x] = q[0];
}
