// desc: a thread per half row of pixels, blocks of 32
// plan: mandel<<<h/16, 32>>>(w, h, limit, it);
__global__ void mandel(int w, int h, int limit, int *it)
{
    int t = blockIdx.x * 32 + threadIdx.x, y = t / 2, x0 = t % 2 * (w / 2);
    if (y >= h) return;
    float cy = y * (3.0f / 2048) - 1.5f;
    for (int x = x0; x < x0 + w / 2; x++) {
        float cx = x * (3.0f / 2048) - 2.0f, a = 0, b = 0;
        int k = 0;
        for (; k < limit; k++) {
            float aa = __fmul_rn(a, a), bb = __fmul_rn(b, b);
            if (__fadd_rn(aa, bb) > 4.0f) break;
            b = __fadd_rn(__fmul_rn(2.0f * a, b), cy);
            a = __fadd_rn(__fsub_rn(aa, bb), cx);
        }
        it[y * w + x] = k;
    }
}
