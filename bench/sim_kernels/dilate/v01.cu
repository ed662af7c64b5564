// desc: thread per pixel, 16x16 blocks, 81 guarded loads
// plan: dilate<<<dim3(ceil_div(w,16), ceil_div(h,16)), dim3(16,16)>>>(w, h, in, out);
__global__ void dilate(int w, int h, const unsigned char *in, unsigned char *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int m = 0;
    for (int j = -4; j <= 4; j++)
        for (int i = -4; i <= 4; i++) {
            int u = x + i, v = y + j;
            if (u >= 0 && u < w && v >= 0 && v < h && in[v * w + u] > m) m = in[v * w + u];
        }
    out[y * w + x] = m;
}
