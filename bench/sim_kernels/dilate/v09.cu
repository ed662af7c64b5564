// desc: image widened to int, five doubling passes over whole rows and columns, narrowed again
// plan: scratch int a[w*h];
// plan: scratch int b[w*h];
// plan: widen<<<ceil_div(w*h,256), 256>>>(w*h, in, a);
// plan: for (int s = 1; s <= 4; s *= 2) { rows<<<dim3(ceil_div(w,256), h), 256>>>(w, a, b, s); swap(a, b); }
// plan: last_row<<<dim3(ceil_div(w,256), h), 256>>>(w, in, a, b);
// plan: swap(a, b);
// plan: columns<<<dim3(ceil_div(w,32), ceil_div(h,8)), dim3(32,8)>>>(w, h, a, out);
__global__ void widen(int n, const unsigned char *in, int *a) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) a[i] = in[i]; }
__global__ void rows(int w, const int *a, int *b, int s)
{
    int x = blockIdx.x * 256 + threadIdx.x, o = blockIdx.y * w;
    if (x < w) b[o + x] = x + s < w ? max(a[o + x], a[o + x + s]) : a[o + x];
}
/* a holds the greatest of x .. x+7 */
__global__ void last_row(int w, const unsigned char *in, const int *a, int *b)
{
    int x = blockIdx.x * 256 + threadIdx.x, o = blockIdx.y * w;
    if (x >= w) return;
    int m = x + 4 < w ? in[o + x + 4] : 0;
    if (x >= 4) m = max(m, a[o + x - 4]);
    else for (int u = 0; u < x + 4; u++) m = max(m, (int)in[o + u]);
    b[o + x] = m;
}
__global__ void columns(int w, int h, const int *a, unsigned char *out)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= w || y >= h) return;
    int m = 0;
    for (int v = max(y - 4, 0); v <= min(y + 4, h - 1); v++) m = max(m, a[v * w + x]);
    out[y * w + x] = m;
}
