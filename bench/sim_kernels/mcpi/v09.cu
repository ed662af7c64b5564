// desc: 132 blocks of 1024, four counters at once in a thread, integer test, shared atomics then one per block
// plan: fill(hits, 0);
// plan: mc<<<132, 1024>>>(n, seed, hits);
__global__ void __launch_bounds__(1024) mc(int n, unsigned seed, int *hits)
{
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    int count = 0, stride = gridDim.x * 1024;
    for (int i = blockIdx.x * 1024 + threadIdx.x; i < n; i += 4 * stride) {
        unsigned c[4][4], k0 = seed, k1 = 0xCAFEF00Du;
#pragma unroll
        for (int j = 0; j < 4; j++) { c[j][0] = i + j * stride; c[j][1] = c[j][2] = c[j][3] = 0; }
#pragma unroll
        for (int r = 0; r < 10; r++) {
#pragma unroll
            for (int j = 0; j < 4; j++) {
                unsigned ph = __umulhi(0xD2511F53u, c[j][0]), pl = 0xD2511F53u * c[j][0], qh = __umulhi(0xCD9E8D57u, c[j][2]), ql = 0xCD9E8D57u * c[j][2];
                c[j][0] = qh ^ c[j][1] ^ k0; c[j][1] = ql; c[j][2] = ph ^ c[j][3] ^ k1; c[j][3] = pl;
            }
            k0 += 0x9E3779B9u;
            k1 += 0xBB67AE85u;
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            if (i + j * stride >= n) break;
#pragma unroll
            for (int h = 0; h < 4; h += 2) {
                unsigned long long x = c[j][h] >> 8, y = c[j][h + 1] >> 8;
                if (x * x + y * y <= 1ull << 48) count++;
            }
        }
    }
    atomicAdd(&s, count);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(hits, s);
}
