// desc: normal numbers to scratch by step (coalesced), then paths read them
// plan: scratch float z[64*n];
// plan: normal<<<ceil_div(n,256), 256>>>(n, seed, z);
// plan: path<<<ceil_div(n,256), 256>>>(n, z, y);
__device__ unsigned next(unsigned &s) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s >> 8; }
__global__ void normal(int n, const int *seed, float *z)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    unsigned s = seed[i] * 2654435761u;
    for (int t = 0; t < 64; t++) {
        float u = (next(s) + 0.5f) / 16777216.0f, v = next(s) / 16777216.0f;
        z[t * n + i] = sqrtf(-2 * __logf(u)) * cospif(2 * v);
    }
}
__global__ void path(int n, const float *z, float *y)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    float p = 100, sum = 0;
    for (int t = 0; t < 64; t++) { p *= __expf(0.0001f + 0.025f * z[t * n + i]); sum += p; }
    y[i] = fmaxf(sum / 64 - 80, 0);
}
