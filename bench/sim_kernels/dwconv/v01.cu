// desc: thread per output, channels side by side, 1-D grid with divisions, 256
// plan: conv<<<b*h*h/4, 256>>>(h, x, w, y);
__global__ void conv(int h, const float *x, const float *w, float *y)
{
    int e = blockIdx.x * 256 + threadIdx.x, k = e % 64, c = e / 64 % h, r = e / 64 / h % h, i = e / 64 / h / h;
    float s = 0;
    for (int u = 0; u < 3; u++)
        for (int v = 0; v < 3; v++) {
            int p = r + u - 1, q = c + v - 1;
            if (p >= 0 && p < h && q >= 0 && q < h) s += w[(u * 3 + v) * 64 + k] * x[((i * h + p) * h + q) * 64 + k];
        }
    y[e] = s > 0 ? s : 0;
}
