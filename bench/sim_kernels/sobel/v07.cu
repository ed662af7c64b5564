// desc: a thread per row of pixels, greys before, blocks of 32
// plan: scratch unsigned char g[w*h];
// plan: grey<<<dim3(ceil_div(w,32), ceil_div(h,8)), dim3(32,8)>>>(w, h, rgb, g);
// plan: sobel<<<ceil_div(h,32), 32>>>(w, h, g, edge);
__global__ void grey(int w, int h, const unsigned char *rgb, unsigned char *g)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < w && y < h) { int k = y * w + x; g[k] = (77 * rgb[3 * k] + 150 * rgb[3 * k + 1] + 29 * rgb[3 * k + 2]) >> 8; }
}
__global__ void sobel(int w, int h, const unsigned char *g, unsigned char *edge)
{
    int y = blockIdx.x * 32 + threadIdx.x;
    if (y >= h) return;
    for (int x = 0; x < w; x++) {
        int m = 0;
        if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
            const unsigned char *p = g + y * w + x;
            int gx = p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[-1 + w];
            int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
            m = min(255, abs(gx) + abs(gy));
        }
        edge[y * w + x] = m;
    }
}
