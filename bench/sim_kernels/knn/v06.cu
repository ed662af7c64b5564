// desc: block of 256 per query over the points as two float4, tree in shared memory
// plan: knn<<<q, 256>>>(n, a, b, dist, near);
__global__ void knn(int n, const float4 *a, const float4 *b, float *dist, int *near)
{
    __shared__ float sd[256];
    __shared__ int si[256];
    int t = threadIdx.x, i = blockIdx.x;
    float4 u = a[2 * i], v = a[2 * i + 1];
    float least = 1e30f;
    int best = 0;
    for (int j = t; j < n; j += 256) {
        float4 x = b[2 * j], y = b[2 * j + 1];
        x.x -= u.x; x.y -= u.y; x.z -= u.z; x.w -= u.w;
        y.x -= v.x; y.y -= v.y; y.z -= v.z; y.w -= v.w;
        float s = x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w + y.x * y.x + y.y * y.y + y.z * y.z + y.w * y.w;
        if (s < least) { least = s; best = j; }
    }
    sd[t] = least;
    si[t] = best;
    __syncthreads();
    for (int o = 128; o > 0; o /= 2) {
        if (t < o) if (sd[t + o] < sd[t] || (sd[t + o] == sd[t] && si[t + o] < si[t])) { sd[t] = sd[t + o]; si[t] = si[t + o]; }
        __syncthreads();
    }
    if (t == 0) { dist[i] = sd[0]; near[i] = si[0]; }
}
