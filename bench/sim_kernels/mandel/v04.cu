// desc: eight iterations between two looks, then back to find the place, 32x4
// plan: mandel<<<dim3(w/32, h/4), dim3(32,4)>>>(w, limit, it);
__global__ void mandel(int w, int limit, int *__restrict__ it)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    float cx = x * (3.0f / 2048) - 2.0f, cy = y * (3.0f / 2048) - 1.5f, a = 0, b = 0, oa = 0, ob = 0;
    int k = 0;
    for (; k < limit; k += 8) {
        oa = a; ob = b;
        bool out = false;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float aa = __fmul_rn(a, a), bb = __fmul_rn(b, b);
            out |= !(__fadd_rn(aa, bb) <= 4.0f);
            b = __fadd_rn(__fmul_rn(2.0f * a, b), cy);
            a = __fadd_rn(__fsub_rn(aa, bb), cx);
        }
        if (out) break;
    }
    if (k < limit) {
        a = oa; b = ob;
        for (;; k++) {
            float aa = __fmul_rn(a, a), bb = __fmul_rn(b, b);
            if (__fadd_rn(aa, bb) > 4.0f) break;
            b = __fadd_rn(__fmul_rn(2.0f * a, b), cy);
            a = __fadd_rn(__fsub_rn(aa, bb), cx);
        }
    }
    it[y * w + x] = k;
}
