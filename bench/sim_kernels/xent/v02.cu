// desc: block of 256 per row: greatest, then sum, each a tree in shared memory; scalar loads
// plan: xent<<<m, 256>>>(n, z, label, loss);
__global__ void xent(int n, const float *z, const int *label, float *loss)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    const float *r = z + blockIdx.x * n;
    float top = -INFINITY;
    for (int j = t; j < n; j += 256) top = fmaxf(top, r[j]);
    s[t] = top;
    __syncthreads();
    for (int o = 128; o; o /= 2) { if (t < o) s[t] = fmaxf(s[t], s[t + o]); __syncthreads(); }
    top = s[0];
    __syncthreads();
    float v = 0;
    for (int j = t; j < n; j += 256) v += expf(r[j] - top);
    s[t] = v;
    __syncthreads();
    for (int o = 128; o; o /= 2) { if (t < o) s[t] += s[t + o]; __syncthreads(); }
    if (t == 0) loss[blockIdx.x] = logf(s[0]) + top - r[label[blockIdx.x]];
}
