// desc: block of 256 per row, two sweeps, exponential and sum in double
// plan: xent<<<m, 256>>>(n, z, label, loss);
__global__ void xent(int n, const float *z, const int *label, float *loss)
{
    __shared__ float sm[8];
    __shared__ double ss[8];
    int t = threadIdx.x;
    const float *r = z + blockIdx.x * n;
    float top = -INFINITY;
    for (int j = t; j < n; j += 256) top = fmaxf(top, r[j]);
    for (int o = 16; o; o >>= 1) top = fmaxf(top, __shfl_xor_sync(~0u, top, o));
    if (t % 32 == 0) sm[t / 32] = top;
    __syncthreads();
    for (int k = 0; k < 8; k++) top = fmaxf(top, sm[k]);
    double s = 0;
    for (int j = t; j < n; j += 256) s += exp((double)r[j] - top);
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
    if (t % 32 == 0) ss[t / 32] = s;
    __syncthreads();
    if (t == 0) {
        s = 0;
        for (int k = 0; k < 8; k++) s += ss[k];
        loss[blockIdx.x] = log(s) + top - r[label[blockIdx.x]];
    }
}
