// desc: two paths a thread side by side, intrinsics, 64 threads
// plan: path<<<ceil_div(n,128), 64>>>(n, seed, y);
__device__ unsigned next(unsigned &s) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s >> 8; }
__device__ float draw(unsigned &s) { float u = (next(s) + 0.5f) * 5.9604645e-8f, v = next(s) * 5.9604645e-8f; return __expf(0.0001f + 0.025f * (__fsqrt_rn(-2 * __logf(u)) * __cosf(6.2831853f * v))); }
__global__ void path(int n, const int2 *seed, float2 *y)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (2 * i >= n) return;
    int2 q = seed[i];
    unsigned s = q.x * 2654435761u, r = q.y * 2654435761u;
    float p = 100, sum = 0, a = 100, asum = 0;
    for (int t = 0; t < 64; t++) { p *= draw(s); a *= draw(r); sum += p; asum += a; }
    y[i] = make_float2(fmaxf(sum * 0.015625f - 80, 0), fmaxf(asum * 0.015625f - 80, 0));
}
