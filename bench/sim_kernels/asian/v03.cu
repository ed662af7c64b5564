// desc: fp64 throughout
// plan: path<<<ceil_div(n,256), 256>>>(n, seed, y);
__device__ unsigned next(unsigned &s) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s >> 8; }
__global__ void path(int n, const int *seed, float *y)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    unsigned s = seed[i] * 2654435761u;
    double p = 100, sum = 0;
    for (int t = 0; t < 64; t++) {
        double u = (next(s) + 0.5) / 16777216, v = next(s) / 16777216.0;
        p *= exp(0.0001 + 0.025 * (sqrt(-2 * log(u)) * cospi(2 * v)));
        sum += p;
    }
    y[i] = (float)fmax(sum / 64 - 80, 0.0);
}
