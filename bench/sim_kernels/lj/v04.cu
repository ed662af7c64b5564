// desc: warp per particle, lanes over the list, shuffles at the end, 8 warps a block
// plan: lj<<<ceil_div(n,8), 256>>>(n, k, box, p, nb, f);
__device__ float sum(float v) { for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o); return v; }
__global__ void lj(int n, int k, float box, const float4 *__restrict__ p, const int *__restrict__ nb, float4 *f)
{
    int i = (blockIdx.x * 256 + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    if (i >= n) return;
    float4 a = p[i], s = make_float4(0, 0, 0, 0);
    float inv = 1.f / box;
    for (int m = lane; m < k; m += 32) {
        int j = i + nb[i * k + m];
        if (j < 0) j += n;
        if (j >= n) j -= n;
        if (j == i) continue;
        float4 b = p[j];
        float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        dx -= box * rintf(dx * inv);
        dy -= box * rintf(dy * inv);
        dz -= box * rintf(dz * inv);
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < 6.25f) {
            float r = 1.f / (r2 + 0.5f), r3 = r * r * r, q = a.w + b.w, g = q * 48 * r3 * (r3 - 0.5f) * r;
            s.x += g * dx; s.y += g * dy; s.z += g * dz; s.w += q * 2 * r3 * (r3 - 1);
        }
    }
    s.x = sum(s.x); s.y = sum(s.y); s.z = sum(s.z); s.w = sum(s.w);
    if (!lane) f[i] = s;
}
