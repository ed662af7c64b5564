// desc: thread per path, logf, sqrtf, cospif, expf, 256
// plan: path<<<ceil_div(n,256), 256>>>(n, seed, y);
__device__ unsigned next(unsigned &s) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s >> 8; }
__global__ void path(int n, const int *seed, float *y)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    unsigned s = seed[i] * 2654435761u;
    float p = 100, sum = 0;
    for (int t = 0; t < 64; t++) {
        float u = (next(s) + 0.5f) / 16777216.0f, v = next(s) / 16777216.0f;
        float z = sqrtf(-2 * logf(u)) * cospif(2 * v);
        p *= expf(0.0001f + 0.025f * z);
        sum += p;
    }
    y[i] = fmaxf(sum / 64 - 80, 0);
}
