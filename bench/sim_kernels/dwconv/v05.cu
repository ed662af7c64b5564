// desc: shared tile of 10x10 pixels by 64 channels (25 KB) for 8x8 outputs, 256 threads
// plan: conv<<<dim3(h/8,h/8,b), dim3(64,4)>>>(h, x, w, y);
__global__ void conv(int h, const float *x, const float *w, float *y)
{
    __shared__ float t[10][10][64];
    int k = threadIdx.x, q = threadIdx.y, r0 = blockIdx.y * 8, c0 = blockIdx.x * 8, i = blockIdx.z;
    for (int e = q; e < 100; e += 4) {
        int p = r0 + e / 10 - 1, c = c0 + e % 10 - 1;
        t[e / 10][e % 10][k] = p >= 0 && p < h && c >= 0 && c < h ? x[((i * h + p) * h + c) * 64 + k] : 0;
    }
    __syncthreads();
    for (int e = q; e < 64; e += 4) {
        int r = e / 8, c = e % 8;
        float s = 0;
        for (int u = 0; u < 3; u++)
            for (int v = 0; v < 3; v++) s += w[(u * 3 + v) * 64 + k] * t[r + u][c + v][k];
        y[((i * h + r0 + r) * h + c0 + c) * 64 + k] = fmaxf(s, 0);
    }
}
