// desc: the lanes of a warp go down a column: nothing coalesces
// plan: scratch float g[9*w*h];
// plan: for (int t = 0; t < steps; t++) { step<<<dim3(ceil_div(h,32), ceil_div(w,8)), dim3(32,8)>>>(w, h, omega, f, g); swap(f, g); }
__global__ void step(int w, int h, float omega, const float *__restrict__ f, float *__restrict__ g)
{
    const int cx[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 }, cy[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };
    int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y, n = w * h;
    if (x >= w || y >= h) return;
    float v[9], rho = 0, ux = 0, uy = 0;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        int xs = x - cx[k], ys = y - cy[k];
        if (xs < 0) xs = w - 1;
        if (xs == w) xs = 0;
        if (ys < 0) ys = h - 1;
        if (ys == h) ys = 0;
        v[k] = f[k * n + ys * w + xs];
        rho += v[k];
        ux += cx[k] * v[k];
        uy += cy[k] * v[k];
    }
    ux /= rho;
    uy /= rho;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        float cu = 3 * (cx[k] * ux + cy[k] * uy), wt = k == 0 ? 4.f / 9 : k < 5 ? 1.f / 9 : 1.f / 36;
        g[k * n + y * w + x] = v[k] + omega * (wt * rho * (1 + cu + 0.5f * cu * cu - 1.5f * (ux * ux + uy * uy)) - v[k]);
    }
}
