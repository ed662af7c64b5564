// desc: 528 persistent blocks, a warp takes 32 pixels at a time from a counter
// plan: scratch int next[1];
// plan: fill(next, 0);
// plan: mandel<<<528, 128>>>(w, w*h, limit, next, it);
__global__ void mandel(int w, int n, int limit, int *next, int *it)
{
    for (;;) {
        int p = 0;
        if ((threadIdx.x & 31) == 0) p = atomicAdd(next, 32);
        p = __shfl_sync(0xffffffff, p, 0);
        if (p >= n) break;
        p += threadIdx.x & 31;
        float cx = (p % w) * (3.0f / 2048) - 2.0f, cy = (p / w) * (3.0f / 2048) - 1.5f, a = 0, b = 0;
        int k = 0;
        for (; k < limit; k++) {
            float aa = __fmul_rn(a, a), bb = __fmul_rn(b, b);
            if (__fadd_rn(aa, bb) > 4.0f) break;
            b = __fadd_rn(__fmul_rn(2.0f * a, b), cy);
            a = __fadd_rn(__fsub_rn(aa, bb), cx);
        }
        it[p] = k;
        __syncwarp();
    }
}
