// desc: four blocks of 250 threads a row, 8 float4 in registers each, pairs of greatest and sum to scratch, a second kernel joins
// plan: scratch float part[8*m];
// plan: pieces<<<dim3(4, m), 250>>>(z, part);
// plan: join<<<ceil_div(m,256), 256>>>(m, n, z, label, part, loss);
__global__ void __launch_bounds__(256) pieces(const float4 *__restrict__ z, float2 *part)
{
    __shared__ float sm[8], ss[8];
    int t = threadIdx.x;
    const float4 *r = z + blockIdx.y * 8000 + blockIdx.x * 2000;
    float4 v[8];
    float m = -1e30f, s = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = __ldcs(r + t + k * 250);
#pragma unroll
    for (int k = 0; k < 8; k++) m = fmaxf(m, fmaxf(fmaxf(v[k].x, v[k].y), fmaxf(v[k].z, v[k].w)));
#pragma unroll
    for (int k = 0; k < 8; k++) s += __expf(v[k].x - m) + __expf(v[k].y - m) + __expf(v[k].z - m) + __expf(v[k].w - m);
    unsigned mask = __activemask();
    for (int o = 16; o; o >>= 1) {
        float m2 = __shfl_down_sync(mask, m, o), s2 = __shfl_down_sync(mask, s, o);
        if ((t & 31) + o < 32 && t + o < 250) { float q = fmaxf(m, m2); s = s * __expf(m - q) + s2 * __expf(m2 - q); m = q; }
    }
    if (!(t & 31)) { sm[t >> 5] = m; ss[t >> 5] = s; }
    __syncthreads();
    if (t == 0) {
        for (int k = 1; k < 8; k++) { float q = fmaxf(m, sm[k]); s = s * __expf(m - q) + ss[k] * __expf(sm[k] - q); m = q; }
        part[blockIdx.y * 4 + blockIdx.x] = make_float2(m, s);
    }
}
__global__ void join(int m, int n, const float *z, const int *label, const float2 *part, float *loss)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= m) return;
    float top = -1e30f, s = 0;
    for (int k = 0; k < 4; k++) top = fmaxf(top, part[i * 4 + k].x);
    for (int k = 0; k < 4; k++) s += part[i * 4 + k].y * __expf(part[i * 4 + k].x - top);
    loss[i] = __logf(s) + top - z[i * n + label[i]];
}
