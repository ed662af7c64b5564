// desc: four pixels a thread in lockstep, blocks of 64
// plan: mandel<<<w*h/256, 64>>>(w, limit, it);
__global__ void mandel(int w, int limit, int *__restrict__ it)
{
    int p = blockIdx.x * 256 + threadIdx.x * 4, x = p % w, y = p / w;
    float cy = y * (3.0f / 2048) - 1.5f, a[4] = {0, 0, 0, 0}, b[4] = {0, 0, 0, 0};
    int n[4] = {0, 0, 0, 0};
    for (int k = 0; k < limit; k++) {
        bool any = false;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float cx = (x + i) * (3.0f / 2048) - 2.0f, aa = __fmul_rn(a[i], a[i]), bb = __fmul_rn(b[i], b[i]);
            bool in = __fadd_rn(aa, bb) <= 4.0f && n[i] == k;
            if (in) {
                b[i] = __fadd_rn(__fmul_rn(2.0f * a[i], b[i]), cy);
                a[i] = __fadd_rn(__fsub_rn(aa, bb), cx);
                n[i]++;
            }
            any |= in;
        }
        if (!any) break;
    }
    *(int4 *)(it + p) = make_int4(n[0], n[1], n[2], n[3]);
}
