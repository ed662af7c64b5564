// Kernels whose estimates lean on caches, atomics, waiting and data: none may depend on what a device did before (test_repeat.c).
#define ARGS float *y, int *h, const float *x, const int *k, int n
#define ID (int)(blockIdx.x * blockDim.x + threadIdx.x)

__global__ void rows(ARGS) { int i = ID; float s = 0; for (int j = 0; j < 64; j++) s += x[(i * 64 + j) % n] + y[(j * 1031 + i) % n]; y[i] = s; } // strided, reused lines
__global__ void gather(ARGS) { int i = ID; y[i] = x[k[i]] + x[k[(i + 77) % n]]; }
__global__ void count(ARGS) { atomicAdd(&h[k[ID] & 1023], 1); }
__global__ void sum(ARGS) { atomicAdd(y, x[ID]); }
__global__ void tables(ARGS) { float a[32]; for (int j = 0; j < 32; j++) a[j] = x[(ID + j) % n]; for (int j = 0; j < 32; j++) y[ID] += a[k[(ID + j) % n] & 31]; }
__global__ void tree(ARGS)
{
    __shared__ float s[256];
    s[threadIdx.x] = x[ID];
    for (int o = 128; o; o /= 2) { __syncthreads(); if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o]; }
    if (!threadIdx.x) y[blockIdx.x] = s[0];
}
__global__ void chained(ARGS)
{
    if (!threadIdx.x) {
        if (blockIdx.x) while (((volatile int *)h)[blockIdx.x - 1] != 1) { }
        __threadfence();
        ((volatile int *)h)[blockIdx.x] = 1;
    }
}
__global__ void little(ARGS) { if (!ID) y[0] = 1; }
__global__ void beyond(ARGS) { y[ID + n] = 1; }
