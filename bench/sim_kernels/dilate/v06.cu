// desc: van Herk and Gil-Werman, thread per row and then thread per column over runs of nine, prefix maxima in scratch
// plan: scratch unsigned char f[w*h];
// plan: scratch unsigned char g[w*h];
// plan: scratch unsigned char t[w*h];
// plan: rows<<<dim3(ceil_div(h,64), ceil_div(w,576)), 64>>>(w, h, in, f, g);
// plan: join_rows<<<ceil_div(w*h,256), 256>>>(w, h, f, g, t);
// plan: columns<<<dim3(ceil_div(w,128), ceil_div(h,144)), 128>>>(w, h, t, f, g);
// plan: join_columns<<<ceil_div(w*h,256), 256>>>(w, h, f, g, out);
__global__ void rows(int w, int h, const unsigned char *in, unsigned char *f, unsigned char *g)
{
    int y = blockIdx.x * 64 + threadIdx.x, x0 = blockIdx.y * 576, x1 = min(w, x0 + 576);
    if (y >= h) return;
    unsigned char m = 0;
    for (int x = x0; x < x1; x++) { m = x % 9 ? max(m, in[y * w + x]) : in[y * w + x]; f[y * w + x] = m; }
    m = 0;
    for (int x = x1 - 1; x >= x0; x--) { m = x % 9 == 8 ? in[y * w + x] : max(m, in[y * w + x]); g[y * w + x] = m; }
}
__global__ void join_rows(int w, int h, const unsigned char *f, const unsigned char *g, unsigned char *t)
{
    int p = blockIdx.x * 256 + threadIdx.x;
    if (p >= w * h) return;
    int x = p % w, e = min(x + 4, w - 1), b = x < 4 ? 0 : x - 4;
    unsigned char m = 0;
    if (b == 0 || b / 9 != e / 9) m = f[p - x + e];
    if (b > 0) m = max(m, g[p - x + b]);
    t[p] = m;
}
__global__ void columns(int w, int h, const unsigned char *in, unsigned char *f, unsigned char *g)
{
    int x = blockIdx.x * 128 + threadIdx.x, y0 = blockIdx.y * 144, y1 = min(h, y0 + 144);
    if (x >= w) return;
    unsigned char m = 0;
    for (int y = y0; y < y1; y++) { m = y % 9 ? max(m, in[y * w + x]) : in[y * w + x]; f[y * w + x] = m; }
    m = 0;
    for (int y = y1 - 1; y >= y0; y--) { m = y % 9 == 8 ? in[y * w + x] : max(m, in[y * w + x]); g[y * w + x] = m; }
}
__global__ void join_columns(int w, int h, const unsigned char *f, const unsigned char *g, unsigned char *out)
{
    int p = blockIdx.x * 256 + threadIdx.x;
    if (p >= w * h) return;
    int y = p / w, x = p % w, e = min(y + 4, h - 1), b = y < 4 ? 0 : y - 4;
    unsigned char m = 0;
    if (b == 0 || b / 9 != e / 9) m = f[e * w + x];
    if (b > 0) m = max(m, g[b * w + x]);
    out[p] = m;
}
