// desc: a lane that is done takes its next pixel at once: grid-stride over pixels in one loop, 1056 blocks of 256
// plan: mandel<<<1056, 256>>>(w, w*h, limit, it);
__global__ void __launch_bounds__(256) mandel(int w, int n, int limit, int *it)
{
    int p = blockIdx.x * 256 + threadIdx.x, k = 0;
    float a = 0, b = 0;
    while (p < n) {
        float cx = (p % w) * (3.0f / 2048) - 2.0f, cy = (p / w) * (3.0f / 2048) - 1.5f;
        float aa = __fmul_rn(a, a), bb = __fmul_rn(b, b);
        if (k == limit || __fadd_rn(aa, bb) > 4.0f) {
            it[p] = k;
            p += gridDim.x * 256;
            a = b = 0; k = 0;
        } else {
            b = __fadd_rn(__fmul_rn(2.0f * a, b), cy);
            a = __fadd_rn(__fsub_rn(aa, bb), cx);
            k++;
        }
    }
}
