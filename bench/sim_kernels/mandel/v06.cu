// desc: iterated in double and rounded to float after every step, 256 in a row
// plan: mandel<<<ceil_div(w*h,256), 256>>>(w, w*h, limit, it);
__global__ void mandel(int w, int n, int limit, int *it)
{
    int p = blockIdx.x * 256 + threadIdx.x;
    if (p >= n) return;
    double cx = (p % w) * (3.0 / 2048) - 2.0, cy = (p / w) * (3.0 / 2048) - 1.5, a = 0, b = 0;
    int k = 0;
    for (; k < limit; k++) {
        double aa = (float)__dmul_rn(a, a), bb = (float)__dmul_rn(b, b);
        if ((float)__dadd_rn(aa, bb) > 4.0f) break;
        b = (float)__dadd_rn((float)__dmul_rn(2.0 * a, b), cy);
        a = (float)__dadd_rn((float)__dadd_rn(aa, -bb), cx);
    }
    it[p] = k;
}
