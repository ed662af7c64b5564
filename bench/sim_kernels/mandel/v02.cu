// desc: 32x8, points of the cardioid and the circle are known without iterating
// plan: mandel<<<dim3(ceil_div(w,32), ceil_div(h,8)), dim3(32,8)>>>(w, h, limit, it);
__global__ void mandel(int w, int h, int limit, int *__restrict__ it)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= w || y >= h) return;
    float cx = x * (3.0f / 2048) - 2.0f, cy = y * (3.0f / 2048) - 1.5f, a = 0, b = 0;
    float u = cx - 0.25f, q = u * u + cy * cy;
    int k = 0;
    if (q * (q + u) < 0.2499f * cy * cy || (cx + 1) * (cx + 1) + cy * cy < 0.0624f) k = limit;
    for (; k < limit; k++) {
        float aa = __fmul_rn(a, a), bb = __fmul_rn(b, b);
        if (__fadd_rn(aa, bb) > 4.0f) break;
        b = __fadd_rn(__fmul_rn(a + a, b), cy);
        a = __fadd_rn(__fsub_rn(aa, bb), cx);
    }
    it[y * w + x] = k;
}
