// desc: warp per row, two sweeps of scalar loads, 4 rows a block
// plan: xent<<<ceil_div(m,4), 128>>>(m, n, z, label, loss);
__global__ void xent(int m, int n, const float *z, const int *label, float *loss)
{
    int i = blockIdx.x * 4 + threadIdx.x / 32, l = threadIdx.x % 32;
    if (i >= m) return;
    const float *r = z + i * n;
    float top = -INFINITY, s = 0;
    for (int j = l; j < n; j += 32) top = fmaxf(top, r[j]);
    for (int o = 16; o; o >>= 1) top = fmaxf(top, __shfl_xor_sync(~0u, top, o));
    for (int j = l; j < n; j += 32) s += __expf(r[j] - top);
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
    if (l == 0) loss[i] = logf(s) + top - r[label[i]];
}
