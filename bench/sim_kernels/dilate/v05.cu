// desc: four pixels a word: rows by byte shifts and SIMD maxima from three words, eight rows a thread in registers for the columns
// plan: dilate<<<dim3(ceil_div(w/4,64), ceil_div(h,8)), 64>>>(w/4, h, in, out);
__device__ __forceinline__ unsigned row(const unsigned *in, int w4, int h, int x, int y)
{
    if (y < 0 || y >= h) return 0;
    const unsigned *p = in + y * w4 + x;
    unsigned b = p[0], a = x ? p[-1] : 0, c = x + 1 < w4 ? p[1] : 0, m = __vmaxu4(__vmaxu4(a, b), c);
#pragma unroll
    for (int k = 1; k < 4; k++) m = __vmaxu4(m, __vmaxu4(__funnelshift_r(a, b, 8 * k), __funnelshift_r(b, c, 8 * k)));
    return m;
}
__global__ void __launch_bounds__(64) dilate(int w4, int h, const unsigned char *in, unsigned char *out)
{
    int x = blockIdx.x * 64 + threadIdx.x, y0 = blockIdx.y * 8;
    if (x >= w4) return;
    unsigned r[16];
#pragma unroll
    for (int j = 0; j < 16; j++) r[j] = row((const unsigned *)in, w4, h, x, y0 + j - 4);
    /* nine rows from doublings: pairs, fours, eights */
    unsigned two[15], four[13], eight[9];
#pragma unroll
    for (int j = 0; j < 15; j++) two[j] = __vmaxu4(r[j], r[j + 1]);
#pragma unroll
    for (int j = 0; j < 13; j++) four[j] = __vmaxu4(two[j], two[j + 2]);
#pragma unroll
    for (int j = 0; j < 8; j++) {
        eight[j] = __vmaxu4(four[j], four[j + 4]);
        if (y0 + j < h) ((unsigned *)out)[(y0 + j) * w4 + x] = __vmaxu4(eight[j], r[j + 8]);
    }
}
