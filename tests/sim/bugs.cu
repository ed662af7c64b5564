// Planted bugs, as they are made: each is found and named. A comment "@kernel" marks the line the message must name, "@kernel_2" the
// other one of a race (which of them the device meets first is its affair). The kernels whose names end in _ok do the same thing right and must pass.
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#define N 256

__global__ void no_barrier(const float *x, float *y)
{
    __shared__ float tile[N];
    int t = threadIdx.x;
    tile[t] = x[t];            // @no_barrier_2
    y[t] = tile[N - 1 - t];    // @no_barrier
}

__global__ void loop_carried(const float *x, float *y)
{
    __shared__ float tile[64];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < 4; i++) {
        tile[t] = x[i * 64 + t];       // @loop_carried
        __syncthreads();
        for (int k = 0; k < 64; k++) sum += tile[k];   // @loop_carried_2
    }
    y[t] = sum;
}

__global__ void reduce_early(const float *x, float *y) // stops synchronising too early
{
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int d = N / 2; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];   // @reduce_early
        if (d > 64) __syncthreads();
    }
    if (t == 0) y[0] = s[0];
}

__global__ void no_syncwarp(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];                 // @no_syncwarp_2
    y[t] = s[t ^ 1];             // @no_syncwarp
}

__global__ void histogram_early(const int *x, int *y)
{
    __shared__ int h[32];
    int t = threadIdx.x;
    if (t < 32) h[t] = 0;
    __syncthreads();
    atomicAdd(&h[x[t] & 31], 1);      // @histogram_early_2
    if (t < 32) y[t] = h[t];          // @histogram_early
}

__global__ void zeroed_late(const int *x, int *y)
{
    __shared__ int h[32];
    int t = threadIdx.x;
    if (t < 32) h[t] = 0;            // @zeroed_late_2
    atomicAdd(&h[x[t] & 31], 1);     // @zeroed_late
    __syncthreads();
    if (t < 32) y[t] = h[t];
}

__global__ void global_sum(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[0] += x[i];                    // @global_sum
}

__global__ void scatter(const int *to, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[to[i]] = (float)i;             // @scatter
}

__global__ void next_block(float *y, int n) // reads what another block of the same launch writes
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = i + 1.0f;                 // @next_block_2
    __syncthreads();
    y[n + i] = i ? y[i - 1] : 0;     // @next_block
}

__global__ void last_block(const float *x, float *part, unsigned *count, float *y) // no fence before the ticket
{
    __shared__ float s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    for (int d = 32; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) {
        part[blockIdx.x] = s[0];                       // @last_block_2
        last = atomicAdd(count, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++) sum += part[b];   // @last_block
        y[0] = sum;
    }
}

__global__ void last_block_ok(const float *x, float *part, unsigned *count, float *y)
{
    __shared__ float s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    for (int d = 32; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) {
        part[blockIdx.x] = s[0];
        __threadfence();
        last = atomicAdd(count, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++) sum += part[b];
        y[0] = sum;
        *count = 0;
    }
}

__global__ void block_fence(float *part, unsigned *flag, float *y) // a fence for the block only
{
    if (blockIdx.x == 0) {
        part[0] = 1;                     // @block_fence_2
        __threadfence_block();
        atomicExch(flag, 1u);
    } else {
        while (atomicAdd(flag, 0u) == 0) {}
        y[0] = part[0];                  // @block_fence
    }
}

__global__ void unset_shared(const float *x, float *y)
{
    __shared__ float s[N + 1];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[t] + s[t + 1];          // @unset_shared
}

__global__ void unset_local(const int *x, int *y)
{
    int a[8];
    int t = threadIdx.x;
    for (int i = 0; i < x[0]; i++) a[(x[i] + t) & 7] = i;
    y[t] = a[x[t] & 7];              // @unset_local
}

__global__ void unset_scratch(const float *x, float *scratch, float *y, int n)
{
    int t = threadIdx.x;
    if (t < n) scratch[t] = x[t];
    __syncthreads();
    float v = scratch[t];            // @unset_scratch
    if (v > 0) y[t] = v;
    else y[t] = 0;
}

__global__ void unset_counter(int *count, int *y)
{
    y[threadIdx.x] = 1;
    atomicAdd(count, 1);             // @unset_counter
}

/* Threads whose loop does nothing put back what they found. */
__global__ void unset_put_back(int *out, int n)
{
    int i = threadIdx.x, r = out[i];
    for (int j = 0; j < i; j++) r = j + n;
    out[i] = r;
}

__global__ void unset_moved(int *out, int *y)
{
    y[threadIdx.x] = out[threadIdx.x];  // @unset_moved
}

struct odd {
    long long key;
    int at;
    char side;
};

/* Copied whole, with the bytes behind `side` that nothing sets. */
__global__ void copied_whole(const int *x, odd *y)
{
    odd ring[4];
    for (int j = 0; j < 4; j++) {
        odd q;
        q.key = j, q.at = x[j], q.side = 1;
        ring[x[j] & 3] = q;
    }
    y[threadIdx.x] = ring[x[threadIdx.x] & 3];
}

/* One member of which is not set. */
__global__ void copied_in_part(const int *x, odd *y)
{
    odd ring[4];
    for (int j = 0; j < 4; j++) {
        ring[x[j] & 3].key = j, ring[x[j] & 3].side = 1;
        if (x[j] > 3) ring[x[j] & 3].at = j;
    }
    y[threadIdx.x] = ring[x[threadIdx.x] & 3];  // @copied_in_part
}

__global__ void unset_histogram(const int *x, int *y)
{
    __shared__ int h[32];
    atomicAdd(&h[x[threadIdx.x] & 31], 1);   // @unset_histogram
    __syncthreads();
    if (threadIdx.x < 32) y[threadIdx.x] = h[threadIdx.x];
}

__global__ void divergent_barrier(float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t < 16) {
        s[t] = 1;
        __syncthreads();             // @divergent_barrier
        y[t] = s[t];
    } else {
        s[t] = 2;
        __syncthreads();
        y[t] = s[t] + 1;
    }
}

__global__ void uneven_loop(const float *x, float *y, int n) // warps make different numbers of turns
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = t; i < n; i += 64) {
        s[t] = x[i];
        __syncthreads();             // @uneven_loop_2
        sum += s[63 - t];
        __syncthreads();
    }
    __syncthreads();                 // @uneven_loop
    y[t] = sum;
}

__global__ void inactive_lane(const float *x, float *y)
{
    int t = threadIdx.x;
    float v = x[t];
    if (t < 24) {
        v += __shfl_down_sync(0x00ffffff, v, 8);      // @inactive_lane
        y[t] = v;
    }
}

__global__ void inactive_lane_ok(const float *x, float *y) // the lanes that get nonsense are not used
{
    int t = threadIdx.x;
    float v = x[t];
    if (t < 16) {
        for (int d = 8; d > 0; d >>= 1) v += __shfl_down_sync(0x0000ffff, v, d);
        if (t == 0) y[0] = v;
    }
}

__global__ void short_block(const float *x, float *y) // 48 threads, 32 lanes named
{
    float v = x[threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);    // @short_block
    if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = v;
}

__global__ void not_named(const int *x, int *y)
{
    int t = threadIdx.x;
    y[t] = __shfl_sync(0x0000ffff, x[t], 0);     // @not_named
}

__global__ void no_wait(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &x[t], 4);    // @no_wait_2
    __pipeline_commit();
    __syncthreads();
    y[t] = s[127 - t];                           // @no_wait
}

__global__ void early_wait(const float *x, float *y) // waits for all but two: the one read is still under way
{
    __shared__ float s[3][64];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < 2; i++) {
        __pipeline_memcpy_async(&s[i][t], &x[i * 64 + t], 4);
        __pipeline_commit();
    }
    for (int i = 0; i < 4; i++) {
        if (i < 2) __pipeline_memcpy_async(&s[(i + 2) % 3][t], &x[(i + 2) * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(3);
        sum += s[i % 3][t];                      // @early_wait
        __syncthreads();
    }
    y[t] = sum;
}

__global__ void wait_ok(const float *x, float *y)
{
    __shared__ float s[3][64];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < 2; i++) {
        __pipeline_memcpy_async(&s[i][t], &x[i * 64 + t], 4);
        __pipeline_commit();
    }
    for (int i = 0; i < 4; i++) {
        if (i < 2) __pipeline_memcpy_async(&s[(i + 2) % 3][t], &x[(i + 2) * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(2);
        __syncthreads();
        sum += s[i % 3][63 - t];
        __syncthreads();
    }
    y[t] = sum;
}

__global__ void off_by_one(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) y[i] = x[i];                     // @off_by_one
}

__global__ void shared_bounds(const float *x, float *y)
{
    __shared__ float s[16][16];
    int t = threadIdx.x;
    s[t / 16][t % 16] = x[t];
    __syncthreads();
    y[t] = s[t / 16 + 1][t % 16];                // @shared_bounds
}

__global__ void hang(volatile int *flag, int *y) // the block it waits for never sets the flag
{
    if (blockIdx.x == 0) while (!*flag) {}       // @hang
    y[blockIdx.x] = 1;
}

__global__ void unlocked(int *lock, float *sum, const float *x) // the fence is missing before the lock is given back
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1)) {}
        *sum += x[blockIdx.x];                   // @unlocked
        atomicExch(lock, 0);
    }
}

__global__ void locked_ok(int *lock, float *sum, const float *x)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1)) {}
        __threadfence();
        *sum += x[blockIdx.x];
        __threadfence();
        atomicExch(lock, 0);
    }
}

__global__ void halves(const __half *x, __half *y) // neighbours share a word, not a half
{
    __shared__ __half s[N + 2];
    int t = threadIdx.x;
    s[t + 1] = x[t];                             // @halves_2
    if (t == 0) s[0] = s[N + 1] = __float2half(0);
    y[t] = s[t + 2];                             // @halves
}

__global__ void wrong_pointer(float **table, float *y)
{
    __shared__ float *p[2];
    if (threadIdx.x == 0) p[0] = y;
    __syncthreads();
    float *q = p[threadIdx.x & 1];               // @wrong_pointer
    q[threadIdx.x] = 1;
}

/* The second warp goes past the barrier that the first one waits at. */
__global__ void skipped(const float *x, float *y)
{
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];               // @skipped_2
    if (threadIdx.x < 32) __syncthreads();
    y[threadIdx.x] = s[63 - threadIdx.x];          // @skipped
}

/* Launched as any kernel. */
__global__ void grid_wide(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x];
    cooperative_groups::this_grid().sync();        // @grid_wide
}
