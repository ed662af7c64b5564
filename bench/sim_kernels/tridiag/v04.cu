// desc: 32 systems a block staged in padded dynamic shared memory by 128 threads, one warp runs Thomas
// plan: thomas<<<ceil_div(m,32), 128, 4*32*129*4>>>(a, b, c, d, x);
__global__ void thomas(const float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ c, const float *__restrict__ d, float *__restrict__ x)
{
    extern __shared__ float sh[];
    float *sa = sh, *sb = sh + 32 * 129, *sc = sb + 32 * 129, *sd = sc + 32 * 129;
    int t = threadIdx.x, o = blockIdx.x * 32 * 128;
    for (int k = 0; k < 32; k++) {
        sa[k * 129 + t] = a[o + k * 128 + t];
        sb[k * 129 + t] = b[o + k * 128 + t];
        sc[k * 129 + t] = c[o + k * 128 + t];
        sd[k * 129 + t] = d[o + k * 128 + t];
    }
    __syncthreads();
    if (t < 32) {
        int r = t * 129;
        float w = 1.f / sb[r], p = sc[r] * w, q = sd[r] * w;
        sc[r] = p;
        sd[r] = q;
        for (int i = 1; i < 128; i++) {
            w = __fdividef(1.f, sb[r + i] - sa[r + i] * p);
            q = (sd[r + i] - sa[r + i] * q) * w;
            p = sc[r + i] * w;
            sc[r + i] = p;
            sd[r + i] = q;
        }
        for (int i = 126; i >= 0; i--) { q = sd[r + i] - sc[r + i] * q; sd[r + i] = q; }
    }
    __syncthreads();
    for (int k = 0; k < 32; k++) x[o + k * 128 + t] = sd[k * 129 + t];
}
