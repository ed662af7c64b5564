// desc: thread per 1024 consecutive keys, counters in global memory, one block of 1024 sums them, thread by thread scatter
// plan: scratch int cnt[256*ceil_div(n,1024)];
// plan: fill(cnt, 0);
// plan: count<<<ceil_div(ceil_div(n,1024),64), 64>>>(n, shift, key, cnt, ceil_div(n,1024));
// plan: scan<<<1, 1024>>>(256*ceil_div(n,1024), cnt);
// plan: scatter<<<ceil_div(ceil_div(n,1024),64), 64>>>(n, shift, key, cnt, out, ceil_div(n,1024));
__global__ void count(int n, int shift, const unsigned *key, int *cnt, int parts)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= parts) return;
    for (int i = p * 1024; i < p * 1024 + 1024 && i < n; i++) cnt[(key[i] >> shift & 255) * parts + p]++;
}
__global__ void scan(int n, int *cnt)
{
    __shared__ int s[1024];
    int t = threadIdx.x, each = (n + 1023) / 1024, sum = 0;
    for (int i = t * each; i < (t + 1) * each && i < n; i++) sum += cnt[i];
    s[t] = sum;
    __syncthreads();
    for (int o = 1; o < 1024; o *= 2) {
        int v = t >= o ? s[t - o] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    sum = t ? s[t - 1] : 0;
    for (int i = t * each; i < (t + 1) * each && i < n; i++) { int c = cnt[i]; cnt[i] = sum; sum += c; }
}
__global__ void scatter(int n, int shift, const unsigned *key, int *cnt, unsigned *out, int parts)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= parts) return;
    for (int i = p * 1024; i < p * 1024 + 1024 && i < n; i++) {
        unsigned k = key[i];
        out[cnt[(k >> shift & 255) * parts + p]++] = k;
    }
}
