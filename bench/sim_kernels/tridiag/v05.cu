// desc: parallel cyclic reduction, block of 128 per system, seven steps in shared memory with two barriers each
// plan: pcr<<<m, 128>>>(a, b, c, d, x);
__global__ void pcr(const float *ga, const float *gb, const float *gc, const float *gd, float *x)
{
    __shared__ float sa[128], sb[128], sc[128], sd[128];
    int t = threadIdx.x, o = blockIdx.x * 128 + t;
    float a = t ? ga[o] : 0, b = gb[o], c = t < 127 ? gc[o] : 0, d = gd[o];
    for (int s = 1; s < 128; s *= 2) {
        sa[t] = a; sb[t] = b; sc[t] = c; sd[t] = d;
        __syncthreads();
        float k1 = 0, k2 = 0, na = 0, nc = 0, nb = b, nd = d;
        if (t >= s) { k1 = a / sb[t - s]; na = -sa[t - s] * k1; nb -= sc[t - s] * k1; nd -= sd[t - s] * k1; }
        if (t + s < 128) { k2 = c / sb[t + s]; nc = -sc[t + s] * k2; nb -= sa[t + s] * k2; nd -= sd[t + s] * k2; }
        a = na; b = nb; c = nc; d = nd;
        __syncthreads();
    }
    x[o] = d / b;
}
