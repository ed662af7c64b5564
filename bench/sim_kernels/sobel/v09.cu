// desc: three kernels: grey, differences and sums along the row as short2, then along the column
// plan: scratch unsigned char g[w*h];
// plan: scratch short d[2*w*h];
// plan: grey<<<ceil_div(w*h,256), 256>>>(w*h, rgb, g);
// plan: rows<<<ceil_div(w*h,256), 256>>>(w, w*h, g, d);
// plan: columns<<<dim3(ceil_div(w,256), h), 256>>>(w, h, d, edge);
__global__ void grey(int n, const unsigned char *__restrict__ rgb, unsigned char *__restrict__ g)
{
    int k = blockIdx.x * 256 + threadIdx.x;
    if (k < n) g[k] = (77 * rgb[3 * k] + 150 * rgb[3 * k + 1] + 29 * rgb[3 * k + 2]) >> 8;
}
__global__ void rows(int w, int n, const unsigned char *__restrict__ g, short *__restrict__ d)
{
    int k = blockIdx.x * 256 + threadIdx.x;
    if (k >= n) return;
    int l = g[max(k - 1, 0)], m = g[k], r = g[min(k + 1, n - 1)];
    ((short2 *)d)[k] = make_short2(r - l, l + 2 * m + r);
}
__global__ void columns(int w, int h, const short *__restrict__ d, unsigned char *__restrict__ edge)
{
    int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
    if (x >= w) return;
    int m = 0;
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
        const short2 *p = (const short2 *)d + y * w + x;
        short2 a = p[-w], b = p[0], c = p[w];
        m = min(255, abs(a.x + 2 * b.x + c.x) + abs(c.y - a.y));
    }
    edge[y * w + x] = m;
}
