// desc: by definition, thread per output, sincospif for every term
// plan: dft<<<b*4, 256>>>(x, y);
__global__ void dft(const float *x, float *y)
{
    int r = blockIdx.x / 4, k = (blockIdx.x & 3) * 256 + threadIdx.x;
    float re = 0, im = 0;
    for (int i = 0; i < 1024; i++) {
        float s, c;
        sincospif(-(float)(i * k & 1023) / 512.0f, &s, &c);
        float u = x[r * 2048 + 2 * i], v = x[r * 2048 + 2 * i + 1];
        re += u * c - v * s;
        im += u * s + v * c;
    }
    y[r * 2048 + 2 * k] = re;
    y[r * 2048 + 2 * k + 1] = im;
}
