// desc: fast intrinsics, 128
// plan: path<<<ceil_div(n,128), 128>>>(n, seed, y);
__device__ unsigned next(unsigned &s) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s >> 8; }
__global__ void path(int n, const int *__restrict__ seed, float *__restrict__ y)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    unsigned s = seed[i] * 2654435761u;
    float p = 100, sum = 0;
#pragma unroll 4
    for (int t = 0; t < 64; t++) {
        float u = (next(s) + 0.5f) * 5.9604645e-8f, v = next(s) * 5.9604645e-8f, r;
        asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(-2 * __logf(u)));
        p *= __expf(0.0001f + 0.025f * r * __cosf(6.2831853f * v));
        sum += p;
    }
    y[i] = fmaxf(sum * 0.015625f - 80, 0);
}
