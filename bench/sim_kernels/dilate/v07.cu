// desc: lanes of a warp down a column, 32x4 blocks, 81 loads that never coalesce
// plan: dilate<<<dim3(ceil_div(h,32), ceil_div(w,4)), dim3(32,4)>>>(w, h, in, out);
__global__ void dilate(int w, int h, const unsigned char *in, unsigned char *out)
{
    int y = blockIdx.x * 32 + threadIdx.x, x = blockIdx.y * 4 + threadIdx.y;
    if (x >= w || y >= h) return;
    unsigned char m = 0;
    for (int v = max(0, y - 4); v <= min(h - 1, y + 4); v++)
        for (int u = max(0, x - 4); u <= min(w - 1, x + 4); u++)
            if (in[v * w + u] > m) m = in[v * w + u];
    out[y * w + x] = m;
}
