// desc: radix 2 in place in shared memory after bit reversal, 512 threads, sincosf at each butterfly
// plan: fft<<<b, 512>>>(x, y);
__global__ void fft(const float *x, float *y)
{
    __shared__ float re[1024], im[1024];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 512) {
        int r = __brev(i) >> 22;
        re[r] = x[blockIdx.x * 2048 + 2 * i];
        im[r] = x[blockIdx.x * 2048 + 2 * i + 1];
    }
    for (int h = 1; h < 1024; h *= 2) {
        __syncthreads();
        int k = t % h, a = t / h * 2 * h + k, b = a + h;
        float s, c;
        sincosf(-3.14159265f * k / h, &s, &c);
        float u = re[b] * c - im[b] * s, v = re[b] * s + im[b] * c, p = re[a], q = im[a];
        re[a] = p + u; im[a] = q + v;
        re[b] = p - u; im[b] = q - v;
    }
    __syncthreads();
    for (int i = t; i < 1024; i += 512) {
        y[blockIdx.x * 2048 + 2 * i] = re[i];
        y[blockIdx.x * 2048 + 2 * i + 1] = im[i];
    }
}
