// desc: one kernel, arithmetic in double, blocks of 64
// plan: scratch float g[9*w*h];
// plan: for (int t = 0; t < steps; t++) { step<<<dim3(ceil_div(w,64), h), 64>>>(w, h, omega, f, g); swap(f, g); }
__global__ void step(int w, int h, double omega, const float *__restrict__ f, float *__restrict__ g)
{
    const int cx[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 }, cy[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };
    const double wt[9] = { 4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36 };
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y, n = w * h;
    if (x >= w) return;
    double v[9], rho = 0, ux = 0, uy = 0;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        int xs = x - cx[k], ys = y - cy[k];
        xs += xs < 0 ? w : 0;
        xs -= xs >= w ? w : 0;
        ys += ys < 0 ? h : 0;
        ys -= ys >= h ? h : 0;
        v[k] = f[k * n + ys * w + xs];
        rho += v[k];
        ux += cx[k] * v[k];
        uy += cy[k] * v[k];
    }
    ux /= rho;
    uy /= rho;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        double cu = 3.0 * (cx[k] * ux + cy[k] * uy);
        g[k * n + y * w + x] = v[k] + omega * (wt[k] * rho * (1.0 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy)) - v[k]);
    }
}
