// desc: all distances as a matrix in memory (16x16 blocks), then a block of 128 per row for the least
// plan: scratch float m[q*n];
// plan: distances<<<dim3(ceil_div(n,16), ceil_div(q,16)), dim3(16,16)>>>(q, n, a, b, m);
// plan: rowmin<<<q, 128>>>(n, m, dist, near);
__global__ void distances(int q, int n, const float *a, const float *b, float *m)
{
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= q || j >= n) return;
    float s = 0;
    for (int d = 0; d < 8; d++) { float e = a[i * 8 + d] - b[j * 8 + d]; s += e * e; }
    m[i * n + j] = s;
}
__global__ void rowmin(int n, const float *m, float *dist, int *near)
{
    __shared__ float sd[128];
    __shared__ int si[128];
    int t = threadIdx.x;
    float least = 1e30f;
    int best = 0;
    for (int j = t; j < n; j += 128) { float s = m[blockIdx.x * n + j]; if (s < least) { least = s; best = j; } }
    sd[t] = least;
    si[t] = best;
    __syncthreads();
    for (int o = 64; o; o >>= 1) {
        if (t < o && (sd[t + o] < sd[t] || (sd[t + o] == sd[t] && si[t + o] < si[t]))) { sd[t] = sd[t + o]; si[t] = si[t + o]; }
        __syncthreads();
    }
    if (t == 0) { dist[blockIdx.x] = sd[0]; near[blockIdx.x] = si[0]; }
}
