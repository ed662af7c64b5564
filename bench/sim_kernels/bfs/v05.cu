// desc: one cooperative kernel with a grid barrier a level, 132 blocks of 1024
// plan: scratch int more[3];
// plan: fill(more, 0);
// plan: [cooperative] run<<<132, 1024>>>(n, to, level, more);
#include <cooperative_groups.h>
__global__ void __launch_bounds__(1024) run(int n, const int *to, int *level, int *more)
{
    cooperative_groups::grid_group g = cooperative_groups::this_grid();
    int t = blockIdx.x * 1024 + threadIdx.x, s = gridDim.x * 1024;
    for (int u = t; u < n; u += s) level[u] = u ? -1 : 0;
    g.sync();
    for (int l = 0; ; l++) {
        if (t == 0) more[(l + 1) % 3] = 0;
        for (int u = t; u < n; u += s) {
            if (level[u] != l) continue;
            for (int k = 0; k < 8; k++) { int v = to[8 * u + k]; if (level[v] < 0) { level[v] = l + 1; more[l % 3] = 1; } }
        }
        g.sync();
        if (!((volatile int *)more)[l % 3]) break;
    }
}
