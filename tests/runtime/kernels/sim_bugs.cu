// Planted bugs: each must be found and named. nvcc -ptx -arch=sm_90 -lineinfo -o sim_bugs.ptx sim_bugs.cu
#include <assert.h>
__global__ void b_read(int n, const float *x, float *y) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i + 1]; }
__global__ void b_write(int n, float *y) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i <= n) y[i] = i; }
__global__ void b_far(int n, float *y) { y[(long long)n * 1000000 + threadIdx.x] = 1; }
__global__ void b_null(float *y, const float *x) { y[threadIdx.x] = x[0]; }
__global__ void b_shared(float *y) { __shared__ float s[32]; s[threadIdx.x + (y[0] > 0)] = 1; __syncthreads(); y[threadIdx.x] = s[threadIdx.x]; }
__global__ void b_dynamic(float *y) { extern __shared__ float s[]; s[threadIdx.x * 2] = 1; __syncthreads(); y[threadIdx.x] = s[threadIdx.x]; }
__global__ void b_barrier(int *y) { if (threadIdx.x < 16) { __syncthreads(); y[threadIdx.x] = 1; } else { y[threadIdx.x] = 2; __syncthreads(); y[threadIdx.x] += 2; } }
__global__ void b_shuffle(int *y) { int v = y[threadIdx.x]; if (threadIdx.x < 16) v = __shfl_down_sync(0xffffffffu, v, 8); else __syncwarp(0xffff0000u), v++; y[threadIdx.x] = v; if (threadIdx.x >= 16) __shfl_sync(0xffffffffu, v, 0); }
__global__ void b_hang(volatile int *y) { while (y[0] == 0) {} y[1] = 1; }
__global__ void b_misaligned(char *y) { *(float *)(y + 1 + threadIdx.x * 4) = 1; }
__global__ void b_trap(int *y) { if (y[threadIdx.x] == 7) __trap(); }
__global__ void b_assert(int *y) { assert(y[threadIdx.x] < 1000); }
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void b_recursion(int *y) { y[0] = fib(y[1]); }
__global__ void b_atomic(int n, int *y) { atomicAdd(&y[n], 1); }
__global__ void b_const(int *y) { *(int *)(size_t)y = 1; }
__global__ void b_cluster(int *y) { asm volatile("barrier.cluster.arrive.aligned;"); y[0] = 1; }
