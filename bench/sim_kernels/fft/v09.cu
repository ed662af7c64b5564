// desc: thread per row, in place in the output, uncoalesced, 64 threads
// plan: fft<<<ceil_div(b,64), 64>>>(b, x, y);
__global__ void fft(int b, const float *x, float *y)
{
    int r = blockIdx.x * 64 + threadIdx.x;
    if (r >= b) return;
    const float *p = x + r * 2048;
    float *q = y + r * 2048;
    for (int i = 0; i < 1024; i++) {
        int j = __brev(i) >> 22;
        q[2 * j] = p[2 * i];
        q[2 * j + 1] = p[2 * i + 1];
    }
    for (int h = 1; h < 1024; h *= 2)
        for (int k = 0; k < h; k++) {
            float s, c;
            sincospif(-(float)k / (float)h, &s, &c);
            for (int a = k; a < 1024; a += 2 * h) {
                int d = a + h;
                float u = q[2 * d] * c - q[2 * d + 1] * s, v = q[2 * d] * s + q[2 * d + 1] * c, e = q[2 * a], f = q[2 * a + 1];
                q[2 * a] = e + u; q[2 * a + 1] = f + v;
                q[2 * d] = e - u; q[2 * d + 1] = f - v;
            }
        }
}
