// desc: one cooperative kernel, a grid barrier a step, a row a block of 128, float4
// plan: init<<<n*n/256, 256>>>(n, w, d);
// plan: [cooperative] steps<<<n, 128>>>(n, d);
#include <cooperative_groups.h>
__global__ void init(int n, const float *w, float *d) { int i = blockIdx.x * 256 + threadIdx.x; d[i] = i / n == i % n ? 0 : w[i]; }
__global__ void steps(int n, float *d)
{
    cooperative_groups::grid_group g = cooperative_groups::this_grid();
    int i = blockIdx.x;
    for (int k = 0; k < n; k++) {
        float a = __ldcg(&d[i * n + k]);
        for (int j = threadIdx.x * 4; j < n; j += 512) {
            float4 b = __ldcg((float4 *)&d[k * n + j]), c = __ldcg((float4 *)&d[i * n + j]);
            c.x = fminf(c.x, a + b.x); c.y = fminf(c.y, a + b.y); c.z = fminf(c.z, a + b.z); c.w = fminf(c.w, a + b.w);
            if (i != k) *(float4 *)&d[i * n + j] = c;
        }
        g.sync();
    }
}
