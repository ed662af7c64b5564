// desc: thread per row, two sweeps, 64 threads a block
// plan: xent<<<ceil_div(m,64), 64>>>(m, n, z, label, loss);
__global__ void xent(int m, int n, const float *z, const int *label, float *loss)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    const float *r = z + i * n;
    float top = r[0], s = 0;
    for (int j = 1; j < n; j++) top = fmaxf(top, r[j]);
    for (int j = 0; j < n; j++) s += expf(r[j] - top);
    loss[i] = logf(s) + top - r[label[i]];
}
