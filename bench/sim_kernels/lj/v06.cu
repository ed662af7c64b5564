// desc: 16 lanes per particle with an int4 of the list each, no branch at the cutoff, 128 threads
// plan: lj<<<ceil_div(n,8), 128>>>(n, k, box, p, nb, f);
__global__ void __launch_bounds__(128) lj(int n, int k, float box, const float4 *__restrict__ p, const int4 *__restrict__ nb, float4 *__restrict__ f)
{
    int i = blockIdx.x * 8 + threadIdx.x / 16, l = threadIdx.x & 15;
    float4 a = p[i], s = make_float4(0, 0, 0, 0);
    float inv = 1.f / box;
    for (int m = l; m < k / 4; m += 16) {
        int4 v = nb[i * (k / 4) + m];
        int js[4] = { i + v.x, i + v.y, i + v.z, i + v.w };
        float4 b[4];
#pragma unroll
        for (int c = 0; c < 4; c++) {
            if (js[c] < 0) js[c] += n;
            if (js[c] >= n) js[c] -= n;
            b[c] = __ldg(p + js[c]);
        }
#pragma unroll
        for (int c = 0; c < 4; c++) {
            float dx = a.x - b[c].x, dy = a.y - b[c].y, dz = a.z - b[c].z;
            dx = fmaf(-box, rintf(dx * inv), dx);
            dy = fmaf(-box, rintf(dy * inv), dy);
            dz = fmaf(-box, rintf(dz * inv), dz);
            float r2 = dx * dx + dy * dy + dz * dz, r = __fdividef(1.f, r2 + 0.5f), r3 = r * r * r;
            float q = r2 < 6.25f && js[c] != i ? a.w + b[c].w : 0.f, g = q * 48 * r3 * (r3 - 0.5f) * r;
            s.x += g * dx; s.y += g * dy; s.z += g * dz; s.w += q * 2 * r3 * (r3 - 1);
        }
    }
#pragma unroll
    for (int o = 8; o; o >>= 1) {
        s.x += __shfl_xor_sync(~0u, s.x, o);
        s.y += __shfl_xor_sync(~0u, s.y, o);
        s.z += __shfl_xor_sync(~0u, s.z, o);
        s.w += __shfl_xor_sync(~0u, s.w, o);
    }
    if (!l) f[i] = s;
}
