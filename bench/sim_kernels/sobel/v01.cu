// desc: grey image, then edges: two kernels of 16x16, byte by byte
// plan: scratch unsigned char g[w*h];
// plan: grey<<<dim3(ceil_div(w,16), ceil_div(h,16)), dim3(16,16)>>>(w, h, rgb, g);
// plan: sobel<<<dim3(ceil_div(w,16), ceil_div(h,16)), dim3(16,16)>>>(w, h, g, edge);
__global__ void grey(int w, int h, const unsigned char *rgb, unsigned char *g)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= w || y >= h) return;
    int k = y * w + x;
    g[k] = (77 * rgb[3 * k] + 150 * rgb[3 * k + 1] + 29 * rgb[3 * k + 2]) >> 8;
}
__global__ void sobel(int w, int h, const unsigned char *g, unsigned char *edge)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= w || y >= h) return;
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1) { edge[y * w + x] = 0; return; }
    const unsigned char *p = g + y * w + x;
    int gx = p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[-1 + w];
    int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
    edge[y * w + x] = min(255, abs(gx) + abs(gy));
}
