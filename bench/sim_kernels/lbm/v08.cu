// desc: four cells a thread, float4 where the direction leaves x alone, float4 stores, blocks of 128
// plan: scratch float g[9*w*h];
// plan: for (int t = 0; t < steps; t++) { step<<<dim3(ceil_div(w/4,128), h), 128>>>(w, h, omega, f, g); swap(f, g); }
__device__ __forceinline__ void plain(const float *p, int x, float (&v)[4]) { float4 q = *(const float4 *)(p + x); v[0] = q.x; v[1] = q.y; v[2] = q.z; v[3] = q.w; }
__device__ __forceinline__ void left(const float *p, int x, int w, float (&v)[4]) { float4 q = *(const float4 *)(p + x); v[0] = p[x ? x - 1 : w - 1]; v[1] = q.x; v[2] = q.y; v[3] = q.z; }
__device__ __forceinline__ void right(const float *p, int x, int w, float (&v)[4]) { float4 q = *(const float4 *)(p + x); v[0] = q.y; v[1] = q.z; v[2] = q.w; v[3] = p[x + 4 < w ? x + 4 : 0]; }
__global__ void __launch_bounds__(128) step(int w, int h, float om, const float *__restrict__ f, float *__restrict__ g)
{
    int x = (blockIdx.x * 128 + threadIdx.x) * 4, y = blockIdx.y, n = w * h;
    if (x >= w) return;
    int ym = (y ? y - 1 : h - 1) * w, yp = (y + 1 < h ? y + 1 : 0) * w, yc = y * w;
    float v[9][4];
    plain(f + yc, x, v[0]);
    left(f + n + yc, x, w, v[1]);
    plain(f + 2 * n + ym, x, v[2]);
    right(f + 3 * n + yc, x, w, v[3]);
    plain(f + 4 * n + yp, x, v[4]);
    left(f + 5 * n + ym, x, w, v[5]);
    right(f + 6 * n + ym, x, w, v[6]);
    right(f + 7 * n + yp, x, w, v[7]);
    left(f + 8 * n + yp, x, w, v[8]);
#pragma unroll
    for (int j = 0; j < 4; j++) {
        float rho = v[0][j] + v[1][j] + v[2][j] + v[3][j] + v[4][j] + v[5][j] + v[6][j] + v[7][j] + v[8][j], inv = 1.f / rho;
        float ux = (v[1][j] + v[5][j] + v[8][j] - v[3][j] - v[6][j] - v[7][j]) * inv, uy = (v[2][j] + v[5][j] + v[6][j] - v[4][j] - v[7][j] - v[8][j]) * inv;
        float c = 1.f - 1.5f * (ux * ux + uy * uy), a = om * rho * (4.f / 9), b = om * rho * (1.f / 9), d = om * rho * (1.f / 36), k = 1.f - om, p = ux + uy, q = uy - ux;
        v[0][j] = k * v[0][j] + a * c;
        v[1][j] = k * v[1][j] + b * (c + 3 * ux + 4.5f * ux * ux);
        v[2][j] = k * v[2][j] + b * (c + 3 * uy + 4.5f * uy * uy);
        v[3][j] = k * v[3][j] + b * (c - 3 * ux + 4.5f * ux * ux);
        v[4][j] = k * v[4][j] + b * (c - 3 * uy + 4.5f * uy * uy);
        v[5][j] = k * v[5][j] + d * (c + 3 * p + 4.5f * p * p);
        v[6][j] = k * v[6][j] + d * (c + 3 * q + 4.5f * q * q);
        v[7][j] = k * v[7][j] + d * (c - 3 * p + 4.5f * p * p);
        v[8][j] = k * v[8][j] + d * (c - 3 * q + 4.5f * q * q);
    }
#pragma unroll
    for (int k = 0; k < 9; k++) *(float4 *)(g + k * n + yc + x) = make_float4(v[k][0], v[k][1], v[k][2], v[k][3]);
}
