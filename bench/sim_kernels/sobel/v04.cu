// desc: two kernels, four pixels a thread: three words in, one word out; edges from aligned words
// plan: scratch unsigned char g[w*h];
// plan: grey<<<ceil_div(w*h/4,256), 256>>>(w*h/4, rgb, g);
// plan: sobel<<<dim3(ceil_div(w/4,64), ceil_div(h,4)), dim3(64,4)>>>(w, h, g, edge);
__global__ void grey(int n, const unsigned char *__restrict__ rgb, unsigned char *__restrict__ g)
{
    int k = blockIdx.x * 256 + threadIdx.x;
    if (k >= n) return;
    const unsigned *p = (const unsigned *)rgb + 3 * k;
    unsigned a = p[0], b = p[1], c = p[2];
    unsigned g0 = (77 * (a & 255) + 150 * (a >> 8 & 255) + 29 * (a >> 16 & 255)) >> 8;
    unsigned g1 = (77 * (a >> 24) + 150 * (b & 255) + 29 * (b >> 8 & 255)) >> 8;
    unsigned g2 = (77 * (b >> 16 & 255) + 150 * (b >> 24) + 29 * (c & 255)) >> 8;
    unsigned g3 = (77 * (c >> 8 & 255) + 150 * (c >> 16 & 255) + 29 * (c >> 24)) >> 8;
    ((unsigned *)g)[k] = g0 | g1 << 8 | g2 << 16 | g3 << 24;
}
__device__ __forceinline__ void row(const unsigned char *g, int w, int x, int y, int v[6])
{
    const unsigned *p = (const unsigned *)(g + y * w + x);
    unsigned m = p[0];
    v[0] = x > 0 ? p[-1] >> 24 : 0;
    v[1] = m & 255; v[2] = m >> 8 & 255; v[3] = m >> 16 & 255; v[4] = m >> 24;
    v[5] = x + 4 < w ? p[1] & 255 : 0;
}
__global__ void sobel(int w, int h, const unsigned char *__restrict__ g, unsigned char *__restrict__ edge)
{
    int x = (blockIdx.x * 64 + threadIdx.x) * 4, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= w || y >= h) return;
    unsigned out = 0;
    if (y > 0 && y < h - 1) {
        int a[6], b[6], c[6];
        row(g, w, x, y - 1, a); row(g, w, x, y, b); row(g, w, x, y + 1, c);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            int gx = a[k + 2] + 2 * b[k + 2] + c[k + 2] - a[k] - 2 * b[k] - c[k];
            int gy = c[k] + 2 * c[k + 1] + c[k + 2] - a[k] - 2 * a[k + 1] - a[k + 2];
            unsigned m = min(255, abs(gx) + abs(gy));
            if (x + k > 0 && x + k < w - 1) out |= m << 8 * k;
        }
    }
    *(unsigned *)(edge + y * w + x) = out;
}
