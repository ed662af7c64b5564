// desc: distance and number packed in 64 bits, atomicMin on them from 64 pieces of the points, tiles of 64 in shared memory
// plan: scratch unsigned long long key[q];
// plan: fill(key, -1);
// plan: part<<<dim3(ceil_div(q,256), 64), 256>>>(q, n, a, b, key);
// plan: unpack<<<ceil_div(q,256), 256>>>(q, key, dist, near);
__global__ void part(int q, int n, const float *__restrict__ a, const float *__restrict__ b, unsigned long long *key)
{
    __shared__ float s[64][8];
    int t = threadIdx.x, i = blockIdx.x * 256 + t, each = (n + 63) / 64, first = blockIdx.y * each, last = min(n, first + each);
    float p[8];
#pragma unroll
    for (int d = 0; d < 8; d++) p[d] = i < q ? a[i * 8 + d] : 0;
    unsigned long long best = ~0ull;
    for (int base = first; base < last; base += 64) {
        int m = min(64, last - base);
        for (int k = t; k < m * 8; k += 256) s[k / 8][k % 8] = b[base * 8 + k];
        __syncthreads();
        for (int j = 0; j < m; j++) {
            float r = 0;
#pragma unroll
            for (int d = 0; d < 8; d++) { float e = p[d] - s[j][d]; r += e * e; }
            unsigned long long k = (unsigned long long)__float_as_uint(r) << 32 | (unsigned)(base + j);
            best = k < best ? k : best;
        }
        __syncthreads();
    }
    if (i < q) atomicMin(&key[i], best);
}
__global__ void unpack(int q, const unsigned long long *key, float *dist, int *near)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < q) { dist[i] = __uint_as_float(key[i] >> 32); near[i] = (int)key[i]; }
}
