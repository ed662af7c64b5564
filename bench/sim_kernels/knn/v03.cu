// desc: four queries a thread, points split over 48 pieces, tiles of 256 points in shared memory, second kernel picks the least
// plan: scratch float d[48*q];
// plan: scratch int w[48*q];
// plan: part<<<dim3(ceil_div(q,512), 48), 128>>>(q, n, a, b, d, w);
// plan: least<<<ceil_div(q,128), 128>>>(q, d, w, dist, near);
__global__ void __launch_bounds__(128) part(int q, int n, const float4 *__restrict__ a, const float4 *__restrict__ b, float *__restrict__ d, int *__restrict__ w)
{
    __shared__ float4 s[512];
    int t = threadIdx.x, i0 = blockIdx.x * 512 + t, each = (n + 47) / 48, first = blockIdx.y * each, last = min(n, first + each);
    float4 u[4], v[4];
    float best[4];
    int who[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int i = min(i0 + k * 128, q - 1);
        u[k] = a[2 * i];
        v[k] = a[2 * i + 1];
        best[k] = 1e30f;
        who[k] = 0;
    }
    for (int base = first; base < last; base += 256) {
        int m = min(256, last - base);
        for (int k = t; k < 2 * m; k += 128) s[k] = b[2 * base + k];
        __syncthreads();
        for (int j = 0; j < m; j++) {
            float4 x = s[2 * j], y = s[2 * j + 1];
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float e, r;
                e = u[k].x - x.x; r = e * e;
                e = u[k].y - x.y; r = fmaf(e, e, r);
                e = u[k].z - x.z; r = fmaf(e, e, r);
                e = u[k].w - x.w; r = fmaf(e, e, r);
                e = v[k].x - y.x; r = fmaf(e, e, r);
                e = v[k].y - y.y; r = fmaf(e, e, r);
                e = v[k].z - y.z; r = fmaf(e, e, r);
                e = v[k].w - y.w; r = fmaf(e, e, r);
                if (r < best[k]) { best[k] = r; who[k] = base + j; }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i0 + k * 128 < q) { d[blockIdx.y * q + i0 + k * 128] = best[k]; w[blockIdx.y * q + i0 + k * 128] = who[k]; }
}
__global__ void least(int q, const float *d, const int *w, float *dist, int *near)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= q) return;
    float m = d[i];
    int who = w[i];
    for (int k = 1; k < 48; k++) if (d[k * q + i] < m) { m = d[k * q + i]; who = w[k * q + i]; }
    dist[i] = m;
    near[i] = who;
}
