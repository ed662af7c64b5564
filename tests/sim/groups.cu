// Cooperative groups, pipelines, atomics of libcu++. The arguments are those of plain.cu.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
#define ARGS const float *x, const float *z, const int *k, const double *d, const unsigned short *h, void *out, float *w, int *zero, int n
#define Y ((float *)out)
#define YI ((int *)out)
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void tiles(ARGS)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    float v = x[ID];
    for (int o = tile.size() / 2; o; o /= 2) v += tile.shfl_down(v, o);
    v = tile.shfl(v, 0);
    block.sync();
    Y[ID] = v + tile.thread_rank() + tile.meta_group_rank();
}

__global__ void group_reduce(ARGS)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int s = cg::reduce(warp, k[ID], cg::plus<int>()), m = cg::reduce(warp, k[ID], cg::greater<int>());
    float f = cg::reduce(warp, x[ID], cg::plus<float>());
    int scan = cg::inclusive_scan(warp, k[ID]);
    YI[ID] = s * 1000 + m * 7 + scan + (f > 0);
}

__global__ void aggregated(ARGS) // one atomic for the lanes that want one
{
    if (x[ID] > 0.2f) {
        auto active = cg::coalesced_threads();
        int at = 0;
        if (active.thread_rank() == 0) at = atomicAdd(&zero[0], (int)active.size());
        at = active.shfl(at, 0) + active.thread_rank();
        w[at] = x[ID];
    }
}

__global__ void partition_by_value(ARGS)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto same = cg::labeled_partition(warp, k[ID] & 3);
    int total = cg::reduce(same, 1, cg::plus<int>());
    YI[ID] = total * 100 + (int)same.thread_rank();
}

__global__ void grid_phases(ARGS) // blocks read what others wrote, phase after phase
{
    cg::grid_group grid = cg::this_grid();
    float *a = w, *b = w + 1024;
    a[ID] = x[ID];
    grid.sync();
    for (int i = 0; i < 4; i++) {
        b[ID] = (a[(ID + 1023) % 1024] + a[ID] + a[(ID + 1) % 1024]) / 3;
        grid.sync();
        float *c = a;
        a = b, b = c;
    }
    Y[ID] = a[ID];
}

__global__ void pipeline_stages(ARGS)
{
    __shared__ float s[2][64];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x;
    float v = 0;
    pipe.producer_acquire();
    cuda::memcpy_async(&s[0][t], &x[t], sizeof(float), pipe);
    pipe.producer_commit();
    for (int i = 0; i < 4; i++) {
        if (i + 1 < 4) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[(i + 1) & 1][t], &x[(i + 1) * 64 + t], sizeof(float), pipe);
            pipe.producer_commit();
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        } else cuda::pipeline_consumer_wait_prior<0>(pipe);
        __syncthreads();
        v += s[i & 1][63 - t];
        __syncthreads();
        pipe.consumer_release();
    }
    Y[t] = v;
}

__global__ void primitives(ARGS)
{
    __shared__ __align__(16) float s[2][256];
    int t = threadIdx.x;
    float v = 0;
    __pipeline_memcpy_async(&s[0][t * 4], &x[t * 4], 16);
    __pipeline_commit();
    for (int i = 0; i < 4; i++) {
        if (i < 3) __pipeline_memcpy_async(&s[(i + 1) % 2][t * 4], &x[(i + 1) * 256 + t * 4], 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        v += s[i % 2][t] + s[i % 2][255 - t];
        __syncthreads();
    }
    Y[t] = v;
}

__global__ void group_copy(ARGS)
{
    __shared__ __align__(16) float s[128];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, x + blockIdx.x * 128, sizeof s);
    cg::wait(block);
    Y[ID] = s[127 - threadIdx.x];
}

__global__ void scoped_atomics(ARGS) // the last block, with acquire and release
{
    __shared__ bool last;
    w[ID] = x[ID];
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device> count(zero[0]);
        last = count.fetch_add(1, cuda::memory_order_acq_rel) == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (last)
        for (int i = threadIdx.x; i < n; i += blockDim.x) Y[i] = w[n - 1 - i];
}

__global__ void flag_handover(ARGS)
{
    __shared__ int flag;
    __shared__ float value;
    cuda::atomic_ref<int, cuda::thread_scope_block> ready(flag);
    if (threadIdx.x == 0) ready.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 32) {
        value = x[0] + 2;
        ready.store(1, cuda::memory_order_release);
    } else if (threadIdx.x == 0) {
        while (ready.load(cuda::memory_order_acquire) == 0) {}
        Y[0] = value;
    }
}
