// desc: one cooperative launch for all steps, grid barrier between them, grid-stride over rows
// plan: [cooperative] waves<<<min(528, resident_blocks), 256>>>(n, steps, c, a, b);
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __launch_bounds__(256) waves(int n, int steps, float c, float *a, float *b)
{
    cg::grid_group grid = cg::this_grid();
    for (int t = 0; t < steps; t++) {
        float *p = t & 1 ? b : a;
        const float *q = t & 1 ? a : b;
        for (int i = 2 + blockIdx.x; i < n - 2; i += gridDim.x)
            for (int j = 2 + threadIdx.x; j < n - 2; j += blockDim.x) {
                int o = i * n + j;
                float l = -5.0f * q[o] + 1.3333334f * (q[o - 1] + q[o + 1] + q[o - n] + q[o + n]) - 0.083333336f * (q[o - 2] + q[o + 2] + q[o - 2 * n] + q[o + 2 * n]);
                p[o] = 2.0f * q[o] - p[o] + c * l;
            }
        grid.sync();
    }
}
