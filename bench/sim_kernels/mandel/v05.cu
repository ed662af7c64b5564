// desc: blocks of 8x32, x of the thread runs down the columns
// plan: mandel<<<dim3(h/32, w/8), dim3(32,8)>>>(w, h, limit, it);
__global__ void mandel(int w, int h, int limit, int *it)
{
    int y = blockIdx.x * 32 + threadIdx.x, x = blockIdx.y * 8 + threadIdx.y;
    float cx = x * (3.0f / 2048) - 2.0f, cy = y * (3.0f / 2048) - 1.5f, a = 0, b = 0;
    int k = 0;
    do {
        float aa = __fmul_rn(a, a), bb = __fmul_rn(b, b);
        if (__fadd_rn(aa, bb) > 4.0f) break;
        b = __fadd_rn(__fmul_rn(2.0f * a, b), cy);
        a = __fadd_rn(__fsub_rn(aa, bb), cx);
    } while (++k < limit);
    it[y * w + x] = k;
}
