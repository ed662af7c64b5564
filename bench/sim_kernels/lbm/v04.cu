// desc: cells as structs of nine floats: converted before the first step and back after the last
// plan: scratch float a[9*w*h];
// plan: scratch float b[9*w*h];
// plan: pack<<<ceil_div(w*h,256), 256>>>(w*h, f, a);
// plan: for (int t = 0; t < steps; t++) { step<<<dim3(ceil_div(w,16), ceil_div(h,16)), dim3(16,16)>>>(w, h, omega, a, b); swap(a, b); }
// plan: unpack<<<ceil_div(w*h,256), 256>>>(w*h, a, f);
struct Cell { float v[9]; };
__global__ void pack(int n, const float *f, float *a_) { Cell *a = (Cell *)a_; int i = blockIdx.x * 256 + threadIdx.x; if (i < n) for (int k = 0; k < 9; k++) a[i].v[k] = f[k * n + i]; }
__global__ void unpack(int n, const float *a_, float *f) { const Cell *a = (const Cell *)a_; int i = blockIdx.x * 256 + threadIdx.x; if (i < n) for (int k = 0; k < 9; k++) f[k * n + i] = a[i].v[k]; }
__device__ const int CX[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 }, CY[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };
__global__ void step(int w, int h, float omega, const float *a_, float *b_)
{
    const Cell *a = (const Cell *)a_;
    Cell *b = (Cell *)b_;
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= w || y >= h) return;
    Cell c;
    float rho = 0, ux = 0, uy = 0;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        int xs = x - CX[k], ys = y - CY[k];
        xs = xs < 0 ? w - 1 : xs == w ? 0 : xs;
        ys = ys < 0 ? h - 1 : ys == h ? 0 : ys;
        c.v[k] = a[ys * w + xs].v[k];
        rho += c.v[k];
        ux += CX[k] * c.v[k];
        uy += CY[k] * c.v[k];
    }
    ux /= rho;
    uy /= rho;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        float cu = 3 * (CX[k] * ux + CY[k] * uy), wt = k == 0 ? 4.f / 9 : k < 5 ? 1.f / 9 : 1.f / 36;
        c.v[k] += omega * (wt * rho * (1 + cu + 0.5f * cu * cu - 1.5f * (ux * ux + uy * uy)) - c.v[k]);
    }
    b[y * w + x] = c;
}
