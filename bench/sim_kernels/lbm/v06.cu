// desc: textbook: stream, moments, equilibrium and relaxation as kernels of their own with arrays between
// plan: scratch float g[9*w*h];
// plan: scratch float rho[w*h];
// plan: scratch float ux[w*h];
// plan: scratch float uy[w*h];
// plan: scratch float eq[9*w*h];
// plan: for (int t = 0; t < steps; t++) {
// plan:   stream<<<ceil_div(w*h,256), 256>>>(w, h, f, g);
// plan:   moments<<<ceil_div(w*h,256), 256>>>(w*h, g, rho, ux, uy);
// plan:   equilibrium<<<ceil_div(w*h,256), 256>>>(w*h, rho, ux, uy, eq);
// plan:   relax<<<ceil_div(9*w*h,256), 256>>>(9*w*h, omega, g, eq, f);
// plan: }
__device__ int cx(int k) { const int t[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 }; return t[k]; }
__device__ int cy(int k) { const int t[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 }; return t[k]; }
__global__ void stream(int w, int h, const float *f, float *g)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= w * h) return;
    int x = i % w, y = i / w;
#pragma unroll
    for (int k = 0; k < 9; k++) g[k * w * h + i] = f[k * w * h + (y - cy(k) + h) % h * w + (x - cx(k) + w) % w];
}
__global__ void moments(int n, const float *g, float *rho, float *ux, float *uy)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    float r = 0, u = 0, v = 0;
#pragma unroll
    for (int k = 0; k < 9; k++) { float e = g[k * n + i]; r += e; u += cx(k) * e; v += cy(k) * e; }
    rho[i] = r;
    ux[i] = u / r;
    uy[i] = v / r;
}
__global__ void equilibrium(int n, const float *rho, const float *ux, const float *uy, float *eq)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    float r = rho[i], u = ux[i], v = uy[i];
#pragma unroll
    for (int k = 0; k < 9; k++) {
        float cu = 3 * (cx(k) * u + cy(k) * v), wt = k == 0 ? 4.f / 9 : k < 5 ? 1.f / 9 : 1.f / 36;
        eq[k * n + i] = wt * r * (1 + cu + 0.5f * cu * cu - 1.5f * (u * u + v * v));
    }
}
__global__ void relax(int n, float omega, const float *g, const float *eq, float *f)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) f[i] = g[i] + omega * (eq[i] - g[i]);
}
