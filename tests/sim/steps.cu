/* Solvers: steps of one cooperative kernel with a barrier of the grid between them. */
#include <cooperative_groups.h>
__global__ void steps(int n, int rounds, const float *a, float *b) /* every round the same */
{
    for (int t = 0; t < rounds; t++) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) b[i] = a[i] + b[i];
        cooperative_groups::this_grid().sync();
    }
}
__global__ void shrinking(int n, int rounds, const float *a, float *b) /* a triangle */
{
    for (int t = 0; t < rounds; t++) {
        for (int i = t * (n / rounds) + blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) b[i] = a[i] + b[i];
        cooperative_groups::this_grid().sync();
    }
}
__global__ void behind(int n, int rounds, const float *a, float *b) /* one thread is waited for */
{
    for (int t = 0; t < rounds && blockIdx.x + 1 == gridDim.x && threadIdx.x == 0; t++)
        for (int i = 0; i < n; i++) b[i] = a[i] + b[i];
    cooperative_groups::this_grid().sync();
}
