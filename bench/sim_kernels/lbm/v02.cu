// desc: thread per cell, 32x8 blocks, written out by hand, borders by select, restrict
// plan: scratch float g[9*w*h];
// plan: for (int t = 0; t < steps; t++) { step<<<dim3(ceil_div(w,32), ceil_div(h,8)), dim3(32,8)>>>(w, h, omega, f, g); swap(f, g); }
__global__ void step(int w, int h, float om, const float *__restrict__ f, float *__restrict__ g)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= w || y >= h) return;
    int n = w * h, xm = x ? x - 1 : w - 1, xp = x + 1 < w ? x + 1 : 0, ym = (y ? y - 1 : h - 1) * w, yp = (y + 1 < h ? y + 1 : 0) * w, yc = y * w;
    float f0 = f[yc + x], f1 = f[n + yc + xm], f2 = f[2 * n + ym + x], f3 = f[3 * n + yc + xp], f4 = f[4 * n + yp + x];
    float f5 = f[5 * n + ym + xm], f6 = f[6 * n + ym + xp], f7 = f[7 * n + yp + xp], f8 = f[8 * n + yp + xm];
    float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8, inv = __fdividef(1.f, rho);
    float ux = (f1 + f5 + f8 - f3 - f6 - f7) * inv, uy = (f2 + f5 + f6 - f4 - f7 - f8) * inv;
    float c = 1.f - 1.5f * (ux * ux + uy * uy), a = om * rho * (4.f / 9), b = om * rho * (1.f / 9), d = om * rho * (1.f / 36), k = 1.f - om;
    float p = ux + uy, q = uy - ux;
    int i = yc + x;
    g[i] = k * f0 + a * c;
    g[n + i] = k * f1 + b * (c + 3 * ux + 4.5f * ux * ux);
    g[2 * n + i] = k * f2 + b * (c + 3 * uy + 4.5f * uy * uy);
    g[3 * n + i] = k * f3 + b * (c - 3 * ux + 4.5f * ux * ux);
    g[4 * n + i] = k * f4 + b * (c - 3 * uy + 4.5f * uy * uy);
    g[5 * n + i] = k * f5 + d * (c + 3 * p + 4.5f * p * p);
    g[6 * n + i] = k * f6 + d * (c + 3 * q + 4.5f * q * q);
    g[7 * n + i] = k * f7 + d * (c - 3 * p + 4.5f * p * p);
    g[8 * n + i] = k * f8 + d * (c - 3 * q + 4.5f * q * q);
}
