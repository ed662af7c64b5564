// desc: thread per cell, tables in constant memory, % for the borders, loops as in C, 256 threads
// plan: scratch float g[9*w*h];
// plan: for (int t = 0; t < steps; t++) { step<<<ceil_div(w*h,256), 256>>>(w, h, omega, f, g); swap(f, g); }
__constant__ int cx[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 };
__constant__ int cy[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };
__constant__ float wt[9] = { 4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36 };
__global__ void step(int w, int h, float omega, const float *f, float *g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = w * h;
    if (i >= n) return;
    int x = i % w, y = i / w;
    float v[9], rho = 0, ux = 0, uy = 0;
    for (int k = 0; k < 9; k++) {
        int xs = (x - cx[k] + w) % w, ys = (y - cy[k] + h) % h;
        v[k] = f[k * n + ys * w + xs];
        rho += v[k];
        ux += cx[k] * v[k];
        uy += cy[k] * v[k];
    }
    ux /= rho;
    uy /= rho;
    for (int k = 0; k < 9; k++) {
        float cu = 3 * (cx[k] * ux + cy[k] * uy);
        float eq = wt[k] * rho * (1 + cu + cu * cu / 2 - (ux * ux + uy * uy) * 3 / 2);
        g[k * n + i] = v[k] + omega * (eq - v[k]);
    }
}
