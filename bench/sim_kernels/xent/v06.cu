// desc: kernels for greatest (atomicMax on ordered bits), sum (atomicAdd) and loss over 32 blocks a row
// plan: scratch unsigned top[m];
// plan: scratch float s[m];
// plan: fill(top, 0);
// plan: fill(s, 0);
// plan: greatest<<<dim3(32, m), 256>>>(n, z, top);
// plan: total<<<dim3(32, m), 256>>>(n, z, top, s);
// plan: finish<<<ceil_div(m,128), 128>>>(m, n, z, label, top, s, loss);
__device__ unsigned code(float f) { unsigned b = __float_as_uint(f); return b >> 31 ? ~b : b | 0x80000000u; }
__device__ float decode(unsigned b) { return __uint_as_float(b >> 31 ? b & 0x7FFFFFFFu : ~b); }
__global__ void greatest(int n, const float *z, unsigned *top)
{
    int row = blockIdx.y;
    float m = -INFINITY;
    for (int j = blockIdx.x * 256 + threadIdx.x; j < n; j += gridDim.x * 256) m = fmaxf(m, z[row * n + j]);
    for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_down_sync(~0u, m, o));
    if (threadIdx.x % 32 == 0) atomicMax(&top[row], code(m));
}
__global__ void total(int n, const float *z, const unsigned *top, float *s)
{
    int row = blockIdx.y;
    float m = decode(top[row]), v = 0;
    for (int j = blockIdx.x * 256 + threadIdx.x; j < n; j += gridDim.x * 256) v += expf(z[row * n + j] - m);
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    if (threadIdx.x % 32 == 0) atomicAdd(&s[row], v);
}
__global__ void finish(int m, int n, const float *z, const int *label, const unsigned *top, const float *s, float *loss)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < m) loss[i] = logf(s[i]) + decode(top[i]) - z[i * n + label[i]];
}
