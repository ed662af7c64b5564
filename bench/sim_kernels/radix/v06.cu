// desc: eight one-bit splits of the whole array: flags, sums of blocks, sums of sums, scatter, as kernels
// plan: scratch unsigned a[n];
// plan: scratch unsigned b[n];
// plan: scratch int pos[n];
// plan: scratch int sum[ceil_div(n,1024)];
// plan: scratch int zeros[1];
// plan: copy(a, key);
// plan: for (int bit = 0; bit < 8; bit++) {
// plan:   flags<<<ceil_div(n,1024), 1024>>>(n, shift + bit, a, pos, sum);
// plan:   sums<<<1, 1024>>>(ceil_div(n,1024), sum, zeros);
// plan:   scatter<<<ceil_div(n,256), 256>>>(n, shift + bit, a, pos, sum, zeros, b);
// plan:   swap(a, b);
// plan: }
// plan: copy(out, a);
__global__ void flags(int n, int bit, const unsigned *a, int *pos, int *sum)
{
    __shared__ int s[1024];
    int t = threadIdx.x, i = blockIdx.x * 1024 + t, v = i < n && !(a[i] >> bit & 1);
    s[t] = v;
    __syncthreads();
    for (int o = 1; o < 1024; o *= 2) {
        int y = t >= o ? s[t - o] : 0;
        __syncthreads();
        s[t] += y;
        __syncthreads();
    }
    if (i < n) pos[i] = s[t] - v;
    if (t == 1023) sum[blockIdx.x] = s[t];
}
__global__ void sums(int n, int *sum, int *zeros)
{
    __shared__ int s[1024];
    int t = threadIdx.x, each = (n + 1023) / 1024, v = 0;
    for (int k = 0; k < each; k++) if (t * each + k < n) v += sum[t * each + k];
    s[t] = v;
    __syncthreads();
    for (int o = 1; o < 1024; o *= 2) { int y = t >= o ? s[t - o] : 0; __syncthreads(); s[t] += y; __syncthreads(); }
    int run = s[t] - v;
    for (int k = 0; k < each; k++) if (t * each + k < n) { int x = sum[t * each + k]; sum[t * each + k] = run; run += x; }
    if (t == 1023) zeros[0] = s[t];
}
__global__ void scatter(int n, int bit, const unsigned *a, const int *pos, const int *sum, const int *zeros, unsigned *b)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    unsigned k = a[i];
    int p = pos[i] + sum[i / 1024];
    b[k >> bit & 1 ? zeros[0] + i - p : p] = k;
}
