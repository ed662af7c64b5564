// desc: fp64 distances, centres from global memory, shared atomics in fp64, 128
// plan: scratch double s[256];
// plan: fill(s, 0.0);
// plan: fill(count, 0);
// plan: go<<<ceil_div(n,128), 128>>>(n, p, c, near, s, count);
// plan: out<<<1, 256>>>(s, sum);
__global__ void go(int n, const float4 *p, const float *c, int *near, double *sum, int *count)
{
    __shared__ double ss[256];
    int t = threadIdx.x, i = blockIdx.x * 128 + t, best = 0;
    ss[t] = ss[t + 128] = 0;
    __syncthreads();
    if (i < n) {
        float4 v = p[i];
        double least = 1e30;
        for (int k = 0; k < 64; k++) {
            double a = (double)v.x - c[4 * k], b = (double)v.y - c[4 * k + 1], d = (double)v.z - c[4 * k + 2], e = (double)v.w - c[4 * k + 3], s = a * a + b * b + d * d + e * e;
            if (s < least) { least = s; best = k; }
        }
        near[i] = best;
        atomicAdd(&count[best], 1);
        atomicAdd(&ss[4 * best], (double)v.x); atomicAdd(&ss[4 * best + 1], (double)v.y); atomicAdd(&ss[4 * best + 2], (double)v.z); atomicAdd(&ss[4 * best + 3], (double)v.w);
    }
    __syncthreads();
    atomicAdd(&sum[t], ss[t]);
    atomicAdd(&sum[t + 128], ss[t + 128]);
}
__global__ void out(const double *s, float *sum) { sum[threadIdx.x] = (float)s[threadIdx.x]; }
