// What the simulated device lacks: each must be refused with its instruction named, never run wrongly.
#define ARGS const float *x, const float *z, const int *k, const double *d, const unsigned short *h, void *out, float *w, int *zero, int n
#define Y ((float *)out)

__global__ void clusters(ARGS)
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    Y[threadIdx.x] = 1;
}

__global__ void mbarriers(ARGS)
{
    __shared__ unsigned long long bar;
    unsigned p = (unsigned)__cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(p), "r"(32u) : "memory");
    __syncthreads();
    Y[threadIdx.x] = 1;
}

__global__ void bulk_copies(ARGS)
{
    __shared__ __align__(16) float s[64];
    __shared__ unsigned long long bar;
    unsigned to = (unsigned)__cvta_generic_to_shared(s), p = (unsigned)__cvta_generic_to_shared(&bar);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(to), "l"(x), "r"(p) : "memory");
    Y[threadIdx.x] = s[threadIdx.x];
}

__device__ float twice(float v) { return v * 2; }
__device__ float thrice(float v) { return v * 3; }
__device__ float (*table[2])(float) = {twice, thrice};
__global__ void pointers(ARGS) { Y[threadIdx.x] = table[k[threadIdx.x] & 1](x[threadIdx.x]); }

__global__ void spare(ARGS) { Y[threadIdx.x] = 3; } // the others of the file do not spoil this one
