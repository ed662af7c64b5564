// desc: two kernels a step, stream into scratch then collide in place back
// plan: scratch float g[9*w*h];
// plan: for (int t = 0; t < steps; t++) {
// plan:   stream<<<dim3(ceil_div(w,128), h, 9), 128>>>(w, h, f, g);
// plan:   collide<<<ceil_div(w*h,128), 128>>>(w*h, omega, g, f);
// plan: }
__global__ void stream(int w, int h, const float *f, float *g)
{
    const int cx[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 }, cy[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, k = blockIdx.z;
    if (x >= w) return;
    int xs = x - cx[k], ys = y - cy[k];
    if (xs < 0) xs += w;
    if (xs >= w) xs -= w;
    if (ys < 0) ys += h;
    if (ys >= h) ys -= h;
    g[(k * h + y) * w + x] = f[(k * h + ys) * w + xs];
}
__global__ void collide(int n, float omega, const float *g, float *f)
{
    const float cx[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 }, cy[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v[9], rho = 0, ux = 0, uy = 0;
#pragma unroll
    for (int k = 0; k < 9; k++) { v[k] = g[k * n + i]; rho += v[k]; ux += cx[k] * v[k]; uy += cy[k] * v[k]; }
    ux /= rho;
    uy /= rho;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        float cu = 3 * (cx[k] * ux + cy[k] * uy), wt = k == 0 ? 4.f / 9 : k < 5 ? 1.f / 9 : 1.f / 36;
        f[k * n + i] = v[k] + omega * (wt * rho * (1 + cu + 0.5f * cu * cu - 1.5f * (ux * ux + uy * uy)) - v[k]);
    }
}
