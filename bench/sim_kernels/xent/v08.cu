// desc: log-softmax of everything written to memory, then a kernel that picks the labels
// plan: scratch float lp[m*n];
// plan: logsoftmax<<<m, 512>>>(n, z, lp);
// plan: pick<<<ceil_div(m,256), 256>>>(m, n, lp, label, loss);
__global__ void logsoftmax(int n, const float *z, float *lp)
{
    __shared__ float red[512];
    int t = threadIdx.x;
    const float *r = z + blockIdx.x * n;
    float *o = lp + blockIdx.x * n;
    float top = -3.4e38f;
    for (int j = t; j < n; j += blockDim.x) top = fmaxf(top, r[j]);
    red[t] = top;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) { if (t < s) red[t] = fmaxf(red[t], red[t + s]); __syncthreads(); }
    top = red[0];
    __syncthreads();
    float sum = 0;
    for (int j = t; j < n; j += blockDim.x) sum += expf(r[j] - top);
    red[t] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) { if (t < s) red[t] += red[t + s]; __syncthreads(); }
    sum = logf(red[0]);
    for (int j = t; j < n; j += blockDim.x) o[j] = r[j] - top - sum;
}
__global__ void pick(int m, int n, const float *lp, const int *label, float *loss)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) loss[i] = -lp[i * n + label[i]];
}
