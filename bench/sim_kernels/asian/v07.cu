// desc: path kept in an array of 64 in local memory, averaged afterwards in fp64; powf for the step
// plan: path<<<ceil_div(n,128), 128>>>(n, seed, y);
__device__ unsigned next(unsigned &s) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s >> 8; }
__global__ void path(int n, const int *seed, float *y)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    unsigned s = seed[i] * 2654435761u;
    float way[64], p = 100;
#pragma unroll 1
    for (int t = 0; t < 64; t++) {
        float u = (next(s) + 0.5f) / 16777216.0f, v = next(s) / 16777216.0f;
        p *= powf(2.7182818f, 0.0001f + 0.025f * (sqrtf(-2 * logf(u)) * cospif(2 * v)));
        way[t] = p;
    }
    double sum = 0;
#pragma unroll 1
    for (int t = 0; t < 64; t++) sum += way[t];
    y[i] = (float)fmax(sum / 64 - 80, 0.0);
}
