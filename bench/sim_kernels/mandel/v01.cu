// desc: a thread per pixel, 16x16
// plan: mandel<<<dim3(ceil_div(w,16), ceil_div(h,16)), dim3(16,16)>>>(w, h, limit, it);
__global__ void mandel(int w, int h, int limit, int *it)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float cx = x * (3.0f / 2048) - 2.0f, cy = y * (3.0f / 2048) - 1.5f, a = 0, b = 0;
    int k = 0;
    while (k < limit) {
        float aa = __fmul_rn(a, a), bb = __fmul_rn(b, b);
        if (__fadd_rn(aa, bb) > 4.0f) break;
        b = __fadd_rn(__fmul_rn(2.0f * a, b), cy);
        a = __fadd_rn(__fadd_rn(aa, -bb), cx);
        k++;
    }
    it[y * w + x] = k;
}
