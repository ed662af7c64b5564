// Kernels as they are written every day, without headers. All (irregular.cu continues them) take the same arguments; what each computes is in test_kernels.c.
#define ARGS const float *x, const float *z, const int *k, const double *d, const unsigned short *h, void *out, float *w, int *zero, int n
#define Y ((float *)out)
#define YI ((int *)out)
#define YD ((double *)out)
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void saxpy(ARGS) { for (int i = ID; i < n; i += gridDim.x * blockDim.x) Y[i] = 2.5f * x[i] + z[i]; }

__global__ void vec4(ARGS)
{
    int i = ID;
    if (i * 4 + 3 < n) {
        float4 a = ((const float4 *)x)[i], b = reinterpret_cast<const float4 *>(z)[i];
        ((float4 *)out)[i] = make_float4(a.x * b.x, a.y + b.y, a.z - b.z, fmaxf(a.w, b.w));
    }
}

__global__ void reduce_tree(ARGS)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = ID < n ? x[ID] : 0;
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        if (t % (2 * step) == 0) s[t] += s[t + step];
        __syncthreads();
    }
    if (t == 0) Y[blockIdx.x] = s[0];
}

__inline__ __device__ float warp_sum(float v)
{
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    return v;
}
__global__ void reduce_shuffle(ARGS)
{
    static __shared__ float part[32];
    float v = 0;
    for (int i = ID; i < n; i += gridDim.x * blockDim.x) v += x[i];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    v = warp_sum(v);
    if (lane == 0) part[warp] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? part[lane] : 0.0f;
    if (warp == 0) v = warp_sum(v);
    if (threadIdx.x == 0) Y[blockIdx.x] = v;
}

template <unsigned block> __device__ void warp_reduce(volatile float *s, unsigned t)
{
    if (block >= 64) s[t] += s[t + 32];
    if (block >= 32) s[t] += s[t + 16];
    if (block >= 16) s[t] += s[t + 8];
    if (block >= 8) s[t] += s[t + 4];
    if (block >= 4) s[t] += s[t + 2];
    if (block >= 2) s[t] += s[t + 1];
}
__global__ void reduce_volatile(ARGS) // the slides of 2007
{
    __shared__ float s[128 + 32];
    unsigned t = threadIdx.x;
    s[t] = x[ID];
    if (t < 32) s[128 + t] = 0;
    __syncthreads();
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) warp_reduce<64>(s, t);
    if (t == 0) Y[blockIdx.x] = s[0];
}

__device__ unsigned tickets;
__global__ void reduce_last_block(ARGS)
{
    __shared__ float s[128];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = x[ID];
    __syncthreads();
    for (int o = 64; o > 0; o >>= 1) {
        if (t < o) s[t] += s[t + o];
        __syncthreads();
    }
    if (t == 0) {
        w[blockIdx.x] = s[0];
        __threadfence();
        unsigned ticket = atomicInc(&tickets, gridDim.x - 1);
        last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        s[t] = t < gridDim.x ? w[t] : 0;
        __syncthreads();
        for (int o = 64; o > 0; o >>= 1) {
            if (t < o) s[t] += s[t + o];
            __syncthreads();
        }
        if (t == 0) Y[0] = s[0];
    }
}

__global__ void reduce_everyone_fences(ARGS) // all threads write and fence, one takes the ticket after the barrier
{
    __shared__ bool last;
    w[ID] = x[ID] * 2;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&zero[0], 1) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int i = threadIdx.x; i < n; i += blockDim.x) Y[i] = w[n - 1 - i];
}

__global__ void scan_hillis(ARGS)
{
    __shared__ float s[2][256];
    int t = threadIdx.x, from = 0;
    s[0][t] = x[ID];
    __syncthreads();
    for (int o = 1; o < 256; o <<= 1) {
        int to = 1 - from;
        s[to][t] = t >= o ? s[from][t] + s[from][t - o] : s[from][t];
        __syncthreads();
        from = to;
    }
    Y[ID] = s[from][t];
}

__global__ void scan_blelloch(ARGS) // exclusive, 2 elements a thread, bank padding
{
#define PAD(i) ((i) + ((i) >> 5))
    __shared__ int s[512 + 16];
    int t = threadIdx.x, base = blockIdx.x * 512, offset = 1;
    s[PAD(2 * t)] = k[base + 2 * t];
    s[PAD(2 * t + 1)] = k[base + 2 * t + 1];
    for (int m = 256; m > 0; m >>= 1) {
        __syncthreads();
        if (t < m) s[PAD(offset * (2 * t + 2) - 1)] += s[PAD(offset * (2 * t + 1) - 1)];
        offset *= 2;
    }
    if (t == 0) s[PAD(511)] = 0;
    for (int m = 1; m < 512; m *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < m) {
            int a = PAD(offset * (2 * t + 1) - 1), b = PAD(offset * (2 * t + 2) - 1), v = s[a];
            s[a] = s[b];
            s[b] += v;
        }
    }
    __syncthreads();
    YI[base + 2 * t] = s[PAD(2 * t)];
    YI[base + 2 * t + 1] = s[PAD(2 * t + 1)];
}

__global__ void scan_warps(ARGS)
{
    __shared__ int sums[8];
    int v = k[ID], lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    for (int o = 1; o < 32; o <<= 1) {
        int up = __shfl_up_sync(0xffffffff, v, o);
        if (lane >= o) v += up;
    }
    if (lane == 31) sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        int s = lane < 8 ? sums[lane] : 0;
        for (int o = 1; o < 8; o <<= 1) {
            int up = __shfl_up_sync(0xffffffff, s, o);
            if (lane >= o) s += up;
        }
        if (lane < 8) sums[lane] = s;
    }
    __syncthreads();
    YI[ID] = v + (warp ? sums[warp - 1] : 0);
}

__device__ volatile int state[64], aggregate[64], prefix[64];
__global__ void scan_lookback(ARGS) // decoupled look-back, one tile a block
{
    __shared__ int s[128], before;
    int t = threadIdx.x, b = blockIdx.x;
    s[t] = k[ID];
    __syncthreads();
    for (int o = 1; o < 128; o <<= 1) {
        int v = t >= o ? s[t - o] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (t == 0) {
        aggregate[b] = s[127];
        if (b == 0) prefix[0] = s[127];
        __threadfence();
        state[b] = b == 0 ? 2 : 1;
        int sum = 0;
        for (int p = b - 1; p >= 0; p--) {
            int st;
            while ((st = state[p]) == 0) {}
            __threadfence();
            if (st == 2) { sum += prefix[p]; break; }
            sum += aggregate[p];
        }
        before = sum;
        if (b) {
            prefix[b] = sum + s[127];
            __threadfence();
            state[b] = 2;
        }
    }
    __syncthreads();
    YI[ID] = before + s[t];
}

__global__ void gemm_naive(ARGS)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    float v = 0;
    for (int i = 0; i < 32; i++) v += x[r * 32 + i] * z[i * 32 + c];
    Y[r * 32 + c] = v;
}

#define T 16
__global__ void gemm_tiled(ARGS)
{
    __shared__ float a[T][T], b[T][T + 1];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float v = 0;
    for (int i = 0; i < 32; i += T) {
        a[ty][tx] = x[r * 32 + i + tx];
        b[ty][tx] = z[(i + ty) * 32 + c];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < T; j++) v += a[ty][j] * b[j][tx];
        __syncthreads();
    }
    Y[r * 32 + c] = v;
}

__global__ void gemm_double_buffer(ARGS)
{
    __shared__ float a[2][T][T], b[2][T][T];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, c = blockIdx.x * T + tx, at = 0;
    float v = 0, na, nb;
    a[0][ty][tx] = x[r * 32 + tx];
    b[0][ty][tx] = z[ty * 32 + c];
    __syncthreads();
    for (int i = 0; i < 32; i += T) {
        bool more = i + T < 32;
        if (more) {
            na = x[r * 32 + i + T + tx];
            nb = z[(i + T + ty) * 32 + c];
        }
        for (int j = 0; j < T; j++) v = fmaf(a[at][ty][j], b[at][j][tx], v);
        if (more) {
            a[at ^ 1][ty][tx] = na;
            b[at ^ 1][ty][tx] = nb;
            __syncthreads();
            at ^= 1;
        }
    }
    Y[r * 32 + c] = v;
}

__global__ void gemm_registers(ARGS) // 4x4 a thread, k by 8
{
    __shared__ __align__(16) float a[8][32], b[8][32];
    int t = threadIdx.x, tr = t / 8 * 4, tc = t % 8 * 4;
    float acc[4][4] = {};
    for (int i = 0; i < 32; i += 8) {
        int row = t / 2, part = t % 2 * 4;
        float4 va = *(const float4 *)&x[row * 32 + i + part];
        a[part][row] = va.x, a[part + 1][row] = va.y, a[part + 2][row] = va.z, a[part + 3][row] = va.w;
        *(float4 *)&b[t / 8][t % 8 * 4] = *(const float4 *)&z[(i + t / 8) * 32 + t % 8 * 4];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 8; j++) {
            float4 fa = *(float4 *)&a[j][tr], fb = *(float4 *)&b[j][tc];
            float ra[4] = {fa.x, fa.y, fa.z, fa.w}, rb[4] = {fb.x, fb.y, fb.z, fb.w};
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int q = 0; q < 4; q++) acc[p][q] += ra[p] * rb[q];
        }
        __syncthreads();
    }
    for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++) Y[(tr + p) * 32 + tc + q] = acc[p][q];
}

__global__ void softmax_warp(ARGS) // a warp a row of 64
{
    int row = ID / 32, lane = threadIdx.x % 32;
    float a = x[row * 64 + lane], b = x[row * 64 + lane + 32], m = fmaxf(a, b);
    for (int o = 16; o; o /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
    a = expf(a - m), b = expf(b - m);
    float s = a + b;
    for (int o = 16; o; o /= 2) s += __shfl_xor_sync(~0u, s, o);
    Y[row * 64 + lane] = a / s;
    Y[row * 64 + lane + 32] = __fdividef(b, s);
}

__global__ void softmax_online(ARGS)
{
    __shared__ float ms[64], ss[64];
    int t = threadIdx.x, row = blockIdx.x;
    float m = -INFINITY, s = 0;
    for (int i = t; i < 128; i += 64) {
        float v = x[row * 128 + i], nm = fmaxf(m, v);
        s = s * __expf(m - nm) + __expf(v - nm);
        m = nm;
    }
    ms[t] = m, ss[t] = s;
    for (int o = 32; o; o >>= 1) {
        __syncthreads();
        if (t < o) {
            float nm = fmaxf(ms[t], ms[t + o]);
            ss[t] = ss[t] * __expf(ms[t] - nm) + ss[t + o] * __expf(ms[t + o] - nm);
            ms[t] = nm;
        }
    }
    __syncthreads();
    for (int i = t; i < 128; i += 64) Y[row * 128 + i] = __expf(x[row * 128 + i] - ms[0]) / ss[0];
}

__global__ void layernorm(ARGS) // Welford, combined over lanes
{
    int row = blockIdx.x, lane = threadIdx.x;
    float mean = 0, m2 = 0, count = 0;
    for (int i = lane; i < 128; i += 32) {
        float v = x[row * 128 + i], dlt = v - mean;
        count += 1;
        mean += dlt / count;
        m2 += dlt * (v - mean);
    }
    for (int o = 16; o; o >>= 1) {
        float om = __shfl_xor_sync(~0u, mean, o), o2 = __shfl_xor_sync(~0u, m2, o), oc = __shfl_xor_sync(~0u, count, o);
        float dlt = om - mean, all = count + oc;
        mean += dlt * oc / all;
        m2 += o2 + dlt * dlt * count * oc / all;
        count = all;
    }
    float r = rsqrtf(m2 / 128 + 1e-5f);
    for (int i = lane; i < 128; i += 32) Y[row * 128 + i] = (x[row * 128 + i] - mean) * r;
}

__global__ void histogram_shared(ARGS)
{
    __shared__ unsigned s[64];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = 0;
    __syncthreads();
    for (int i = ID; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[k[i] & 63], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        if (s[i]) atomicAdd(&zero[i], (int)s[i]);
}

__global__ void histogram_match(ARGS)
{
    int bin = k[ID] & 63;
    unsigned peers = __match_any_sync(0xffffffff, bin);
    if ((threadIdx.x & 31) == __ffs(peers) - 1) atomicAdd(&zero[bin], __popc(peers));
}

__global__ void transpose_padded(ARGS)
{
    __shared__ float t[32][33];
    int cx = blockIdx.x * 32 + threadIdx.x, cy = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) t[threadIdx.y + j][threadIdx.x] = x[(cy + j) * 64 + cx];
    __syncthreads();
    cx = blockIdx.y * 32 + threadIdx.x, cy = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) Y[(cy + j) * 64 + cx] = t[threadIdx.x][threadIdx.y + j];
}

__global__ void transpose_swizzled(ARGS)
{
    __shared__ float t[32][32];
    int a = threadIdx.x, b = threadIdx.y;
    for (int j = b; j < 32; j += 8) t[j][a ^ j] = x[(blockIdx.y * 32 + j) * 64 + blockIdx.x * 32 + a];
    __syncthreads();
    for (int j = b; j < 32; j += 8) Y[(blockIdx.x * 32 + j) * 64 + blockIdx.y * 32 + a] = t[a][j ^ a];
}

__global__ void stencil_halo(ARGS)
{
    extern __shared__ float tile[];
    int g = ID, l = threadIdx.x + 3;
    tile[l] = x[g];
    if (threadIdx.x < 3) {
        tile[l - 3] = g >= 3 ? x[g - 3] : 0;
        tile[l + blockDim.x] = g + (int)blockDim.x < n ? x[g + blockDim.x] : 0;
    }
    __syncthreads();
    float v = 0;
    for (int o = -3; o <= 3; o++) v += tile[l + o];
    Y[g] = v;
}

__constant__ float mask5[25] = {1, 2, 3, 2, 1, 2, 4, 6, 4, 2, 3, 6, 9, 6, 3, 2, 4, 6, 4, 2, 1, 2, 3, 2, 1};
__global__ void conv2d(ARGS)
{
    __shared__ float s[20][20];
    int tx = threadIdx.x, ty = threadIdx.y, ox = blockIdx.x * 16, oy = blockIdx.y * 16;
    for (int i = ty * 16 + tx; i < 400; i += 256) {
        int gy = oy + i / 20 - 2, gx = ox + i % 20 - 2;
        s[i / 20][i % 20] = gy >= 0 && gy < 32 && gx >= 0 && gx < 32 ? x[gy * 32 + gx] : 0.f;
    }
    __syncthreads();
    float v = 0;
#pragma unroll
    for (int r = 0; r < 5; r++)
        for (int c = 0; c < 5; c++) v += mask5[r * 5 + c] * s[ty + r][tx + c];
    Y[(oy + ty) * 32 + ox + tx] = v / 81;
}
