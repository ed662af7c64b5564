// desc: fused, greys of 34x10 in shared memory as bytes, 32x8
// plan: sobel<<<dim3(ceil_div(w,32), ceil_div(h,8)), dim3(32,8)>>>(w, h, rgb, edge);
__global__ void sobel(int w, int h, const unsigned char *__restrict__ rgb, unsigned char *__restrict__ edge)
{
    __shared__ unsigned char s[10][36];
    int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 340; k += 256) {
        int x = min(max(x0 + k % 34, 0), w - 1), y = min(max(y0 + k / 34, 0), h - 1);
        const unsigned char *p = rgb + 3 * (y * w + x);
        s[k / 34][k % 34] = (77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8;
    }
    __syncthreads();
    int u = threadIdx.x, v = threadIdx.y, x = x0 + 1 + u, y = y0 + 1 + v;
    if (x >= w || y >= h) return;
    int gx = s[v][u + 2] + 2 * s[v + 1][u + 2] + s[v + 2][u + 2] - s[v][u] - 2 * s[v + 1][u] - s[v + 2][u];
    int gy = s[v + 2][u] + 2 * s[v + 2][u + 1] + s[v + 2][u + 2] - s[v][u] - 2 * s[v][u + 1] - s[v][u + 2];
    edge[y * w + x] = x == 0 || y == 0 || x == w - 1 || y == h - 1 ? 0 : min(255, abs(gx) + abs(gy));
}
