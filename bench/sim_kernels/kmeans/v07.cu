// desc: private sums of every thread in shared memory (64 x 5 words, 16 threads a copy), 528 blocks of 128
// plan: fill(sum, 0);
// plan: fill(count, 0);
// plan: go<<<528, 128, 8*320*4+1024>>>(n, p, c, near, sum, count);
__global__ void go(int n, const float4 *p, const float *c, int *near, float *sum, int *count)
{
    extern __shared__ float m[];
    float4 *cs = (float4 *)m;
    float *mine = m + 256 + threadIdx.x / 16 * 320;
    for (int e = threadIdx.x; e < 256; e += 128) m[e] = c[e];
    for (int e = threadIdx.x; e < 8 * 320; e += 128) m[256 + e] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 528 * 128) {
        float4 v = p[i];
        float least = 1e30f;
        int best = 0;
        for (int k = 0; k < 64; k++) {
            float4 q = cs[k];
            float a = v.x - q.x, b = v.y - q.y, d = v.z - q.z, e = v.w - q.w, s = a * a + b * b + d * d + e * e;
            if (s < least) { least = s; best = k; }
        }
        near[i] = best;
        float *w = mine + best * 5;
        atomicAdd(w, v.x); atomicAdd(w + 1, v.y); atomicAdd(w + 2, v.z); atomicAdd(w + 3, v.w); atomicAdd((int *)w + 4, 1);
    }
    __syncthreads();
    for (int e = threadIdx.x; e < 320; e += 128) {
        float s = 0;
        int k = 0;
        for (int q = 0; q < 8; q++) s += m[256 + q * 320 + e], k += ((int *)m)[256 + q * 320 + e];
        if (e % 5 < 4) atomicAdd(&sum[e / 5 * 4 + e % 5], s);
        else atomicAdd(&count[e / 5], k);
    }
}
