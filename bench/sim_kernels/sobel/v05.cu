// desc: fused, a block makes 128x16 pixels: greys of 136x18 as bytes in shared memory from words, four pixels a thread and row, 32x8
// plan: sobel<<<dim3(w/128, h/16), dim3(32,8)>>>(w, h, rgb, edge);
__global__ void __launch_bounds__(256) sobel(int w, int h, const unsigned char *__restrict__ rgb, unsigned char *__restrict__ edge)
{
    __shared__ unsigned s[18][34];
    int x0 = blockIdx.x * 128 - 4, y0 = blockIdx.y * 16 - 1;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 18 * 34; k += 256) {
        int x = x0 + k % 34 * 4, y = y0 + k / 34;
        unsigned v = 0;
        if (x >= 0 && x < w && y >= 0 && y < h) {
            const unsigned *p = (const unsigned *)rgb + 3 * (y * w + x) / 4;
            unsigned a = p[0], b = p[1], c = p[2];
            v = (77 * (a & 255) + 150 * (a >> 8 & 255) + 29 * (a >> 16 & 255)) >> 8;
            v |= (77 * (a >> 24) + 150 * (b & 255) + 29 * (b >> 8 & 255)) >> 8 << 8;
            v |= (77 * (b >> 16 & 255) + 150 * (b >> 24) + 29 * (c & 255)) >> 8 << 16;
            v |= (77 * (c >> 8 & 255) + 150 * (c >> 16 & 255) + 29 * (c >> 24)) >> 8 << 24;
        }
        s[k / 34][k % 34] = v;
    }
    __syncthreads();
    const unsigned char *t = (const unsigned char *)s;
    for (int r = threadIdx.y; r < 16; r += 8) {
        int x = x0 + 4 + threadIdx.x * 4, y = y0 + 1 + r, o = r * 136 + 3 + threadIdx.x * 4;
        unsigned out = 0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const unsigned char *a = t + o + k, *b = a + 136, *c = b + 136;
            int gx = a[2] + 2 * b[2] + c[2] - a[0] - 2 * b[0] - c[0], gy = c[0] + 2 * c[1] + c[2] - a[0] - 2 * a[1] - a[2];
            unsigned m = min(255, abs(gx) + abs(gy));
            if (x + k > 0 && x + k < w - 1) out |= m << 8 * k;
        }
        *(unsigned *)(edge + y * w + x) = y > 0 && y < h - 1 ? out : 0;
    }
}
