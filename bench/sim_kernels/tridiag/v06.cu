// desc: cyclic reduction (fewer and fewer threads, strides that conflict), block of 64 per system
// plan: cr<<<m, 64>>>(a, b, c, d, x);
__global__ void cr(const float *ga, const float *gb, const float *gc, const float *gd, float *gx)
{
    __shared__ float a[128], b[128], c[128], d[128], x[128];
    int t = threadIdx.x, o = blockIdx.x * 128;
    for (int i = t; i < 128; i += 64) { a[i] = i ? ga[o + i] : 0; b[i] = gb[o + i]; c[i] = i < 127 ? gc[o + i] : 0; d[i] = gd[o + i]; }
    __syncthreads();
    for (int s = 1; s < 64; s *= 2) {
        int i = 2 * s * (t + 1) - 1;
        if (i < 128) {
            int l = i - s, r = i + s;
            float k1 = a[i] / b[l];
            if (r < 128) {
                float k2 = c[i] / b[r];
                b[i] -= c[l] * k1 + a[r] * k2;
                d[i] -= d[l] * k1 + d[r] * k2;
                a[i] = -a[l] * k1;
                c[i] = -c[r] * k2;
            } else {
                b[i] -= c[l] * k1;
                d[i] -= d[l] * k1;
                a[i] = -a[l] * k1;
            }
        }
        __syncthreads();
    }
    if (t == 0) {
        float det = b[63] * b[127] - c[63] * a[127];
        x[63] = (d[63] * b[127] - c[63] * d[127]) / det;
        x[127] = (b[63] * d[127] - d[63] * a[127]) / det;
    }
    __syncthreads();
    for (int s = 32; s >= 1; s /= 2) {
        int i = 2 * s * t + s - 1;
        if (i < 128) x[i] = (d[i] - (i >= s ? a[i] * x[i - s] : 0) - c[i] * x[i + s]) / b[i];
        __syncthreads();
    }
    for (int i = t; i < 128; i += 64) gx[o + i] = x[i];
}
