// desc: cooperative: all steps in one launch, 264 persistent blocks of 256 with a grid barrier between steps
// plan: scratch float g[9*w*h];
// plan: [cooperative] run<<<min(264, resident_blocks), 256>>>(w, h, steps, omega, f, g);
// plan: if (steps % 2) swap(f, g);
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void run(int w, int h, int steps, float omega, float *f, float *g)
{
    const int cx[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 }, cy[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };
    cg::grid_group grid = cg::this_grid();
    int n = w * h;
    for (int t = 0; t < steps; t++) {
        const float *a = t & 1 ? g : f;
        float *b = t & 1 ? f : g;
        for (int i = grid.thread_rank(); i < n; i += grid.size()) {
            int y = i / w, x = i - y * w;
            float v[9], rho = 0, ux = 0, uy = 0;
#pragma unroll
            for (int k = 0; k < 9; k++) {
                int xs = x - cx[k], ys = y - cy[k];
                xs = xs < 0 ? w - 1 : xs == w ? 0 : xs;
                ys = ys < 0 ? h - 1 : ys == h ? 0 : ys;
                v[k] = a[k * n + ys * w + xs];
                rho += v[k];
                ux += cx[k] * v[k];
                uy += cy[k] * v[k];
            }
            float inv = 1.0f / rho;
            ux *= inv;
            uy *= inv;
#pragma unroll
            for (int k = 0; k < 9; k++) {
                float cu = 3 * (cx[k] * ux + cy[k] * uy), wt = k == 0 ? 4.f / 9 : k < 5 ? 1.f / 9 : 1.f / 36;
                b[k * n + i] = v[k] + omega * (wt * rho * (1 + cu + 0.5f * cu * cu - 1.5f * (ux * ux + uy * uy)) - v[k]);
            }
        }
        grid.sync();
    }
}
