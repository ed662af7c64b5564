// Loops too long to be run while a launch is estimated: not even the outer loop's first round is over when the launch is cut (test_nests.c).
#include <cooperative_groups.h>
#define ARGS float *y, const float *x, int rounds, int n
#define BODY(j) s = s * 0.999f + x[(j) & 1023]

__global__ void up(ARGS)
{
    float s = 0;
    for (int i = 0; i < rounds; i++) {
        for (int j = 0; j < n; j++) BODY(j);
        y[i] = s;
    }
}
__global__ void down(ARGS)
{
    float s = 0;
    for (int i = rounds; i > 0; i--) {
        for (int j = 0; j < n; j++) BODY(j ^ i);
        y[i - 1] = s;
    }
}
__global__ void strides(ARGS) // 64 bits, in steps, tested in front
{
    float s = 0;
    long long i = threadIdx.x, end = (long long)rounds * 3;
    while (i < end) {
        for (int j = 0; j < n; j++) BODY(j + (int)i);
        y[i / 3] = s;
        i += 3;
    }
}
__global__ void three(ARGS)
{
    float s = 0;
    for (int i = 0; i < rounds; i++)
#pragma unroll 1
        for (int k = 0; k < 4; k++) {
            for (int j = 0; j < n; j++) BODY(j + k);
            y[i * 4 + k] = s;
        }
}
__global__ void after(ARGS) // the second loop has not begun when the first is cut
{
    float s = 0;
    for (int i = 0; i < rounds; i++) {
        for (int j = 0; j < n; j++) BODY(j);
        for (int j = 0; j < n; j++) s += s * x[(j + i) & 1023];
        y[i] = s;
    }
}
__global__ void grid(ARGS) // a round of the whole grid is too long
{
    cooperative_groups::grid_group g = cooperative_groups::this_grid();
    float s = 0;
    for (int i = 0; i < rounds; i++) {
        for (int j = 0; j < n / 128; j++) BODY(j + threadIdx.x);
        y[blockIdx.x * blockDim.x + threadIdx.x] = s;
        g.sync();
    }
}
__global__ void converge(ARGS) // nobody can tell
{
    float s = 0;
    do {
        for (int j = 0; j < n; j++) BODY(j);
        y[0] = s;
    } while (s < (float)rounds);
}
__global__ void alone(ARGS)
{
    float s = 0;
    for (int j = 0; j < n; j++) BODY(j);
    y[0] = s;
}
