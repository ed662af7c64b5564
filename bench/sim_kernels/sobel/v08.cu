// desc: grey image as floats, 1-D grids of 64 with division, weights from an array in a loop
// plan: scratch float g[w*h];
// plan: grey<<<ceil_div(w*h,64), 64>>>(w*h, rgb, g);
// plan: sobel<<<ceil_div(w*h,64), 64>>>(w, h, g, edge);
__global__ void grey(int n, const unsigned char *rgb, float *g)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) g[k] = (float)((77 * rgb[3 * k] + 150 * rgb[3 * k + 1] + 29 * rgb[3 * k + 2]) / 256);
}
__constant__ float kx[9] = {-1, 0, 1, -2, 0, 2, -1, 0, 1}, ky[9] = {-1, -2, -1, 0, 0, 0, 1, 2, 1};
__global__ void sobel(int w, int h, const float *g, unsigned char *edge)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x, x = k % w, y = k / w;
    if (k >= w * h) return;
    float gx = 0, gy = 0;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
            int u = min(max(x + j, 0), w - 1), v = min(max(y + i, 0), h - 1);
            float f = g[v * w + u];
            gx += f * kx[(i + 1) * 3 + j + 1];
            gy += f * ky[(i + 1) * 3 + j + 1];
        }
    edge[k] = x == 0 || y == 0 || x == w - 1 || y == h - 1 ? 0 : (unsigned char)fminf(255.f, fabsf(gx) + fabsf(gy));
}
